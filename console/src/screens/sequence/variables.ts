import type { Lead } from '@overture/sdk'

export interface TemplateVariable {
  name: string
  label: string
  /** What stands in for it when a lead has none; null where every lead has one. */
  fallback: string | null
}

const FIELDS: readonly TemplateVariable[] = [
  { name: 'firstName', label: 'First name', fallback: 'there' },
  { name: 'lastName', label: 'Last name', fallback: '' },
  { name: 'fullName', label: 'Full name', fallback: 'there' },
  { name: 'company', label: 'Company', fallback: 'your company' },
  { name: 'jobTitle', label: 'Job title', fallback: 'your role' },
  { name: 'email', label: 'E-mail address', fallback: null },
  { name: 'senderName', label: 'Name of the sender', fallback: null },
]

/** The fields of every lead, and the variables that the first leads have. */
export function variablesFor(leads: readonly Lead[]): TemplateVariable[] {
  const own = [...new Set(leads.flatMap(lead => Object.keys(lead.variables)))].sort()
  return [...FIELDS, ...own.map(name => ({ name, label: name, fallback: 'something' }))]
}

/** How many of these leads lack it. */
export const lackedBy = ({ name }: TemplateVariable, leads: readonly Lead[]): number =>
  name.startsWith('sender') ? 0 : leads.filter(lead => !String(lead[name as keyof Lead] ?? lead.variables[name] ?? '').trim()).length

export interface Insertion {
  text: string
  /** Which part of the text is chosen afterwards, to be typed over. */
  from: number
  to: number
}

export function insertionOf({ name, fallback }: TemplateVariable): Insertion {
  const text = fallback === null ? `{{ ${name} }}` : `{{ ${name} | default: "${fallback}" }}`
  if (fallback === null) return { text, from: text.length, to: text.length }
  const from = text.indexOf('"') + 1
  return { text, from, to: from + fallback.length }
}
