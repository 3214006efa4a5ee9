import type { Lead, LeadPatch } from '@overture/sdk'

export const LEAD_FIELDS = ['firstName', 'lastName', 'fullName', 'company', 'jobTitle', 'timezone'] as const
export type LeadField = (typeof LEAD_FIELDS)[number]

export interface VariableRow {
  key: number
  name: string
  value: string
}

export interface LeadContents {
  fields: Record<LeadField, string>
  variables: readonly VariableRow[]
}

/** What the form begins with. */
export function startForm(lead: Lead | null): LeadContents {
  return {
    fields: Object.fromEntries(LEAD_FIELDS.map(name => [name, lead?.[name] ?? ''])) as Record<LeadField, string>,
    variables: Object.entries(lead?.variables ?? {}).map(([name, value], key) => ({ key, name, value })),
  }
}

export const variablesOf = ({ variables }: LeadContents): Record<string, string> =>
  Object.fromEntries(variables.filter(({ name, value }) => name.trim() && value).map(({ name, value }) => [name.trim(), value]))

/** The difference between a lead and the form, as a patch. */
export function patchOf(lead: Lead, contents: LeadContents): LeadPatch {
  const fields = LEAD_FIELDS.filter(name => (lead[name] ?? '') !== contents.fields[name].trim())
  const wanted = variablesOf(contents)
  const changed: Record<string, string | null> = {}
  for (const [name, value] of Object.entries(wanted)) if (lead.variables[name] !== value) changed[name] = value
  for (const name of Object.keys(lead.variables)) if (wanted[name] === undefined) changed[name] = null
  return {
    ...Object.fromEntries(fields.map(name => [name, contents.fields[name].trim() || null])),
    ...(Object.keys(changed).length > 0 ? { variables: changed } : {}),
  }
}
