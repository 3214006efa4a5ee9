import type { Call } from '../command.ts'
import { UsageError } from '../failures.ts'
import type { Rehearsal } from '../rehearsal/section.ts'
import { readNamed, type Shell } from '../shell.ts'
import { fileSchema } from './file-schema.ts'

interface FileStep {
  delayDays: number
  variants: { subject?: string | null; body: string; weight?: number }[]
}

/** A campaign as it is written down. A section that is left out is not looked after. */
export interface CampaignFile {
  campaign: { id?: string; name: string } & Record<string, unknown>
  schedule?: Record<string, unknown>
  mailboxes?: string[]
  contactRules?: Record<string, unknown>
  sequence?: FileStep[]
  /** How it is rehearsed. Nothing of it reaches a service. */
  rehearsal?: Rehearsal
}

/** A file that fits the schema, and where in it things are. */
export interface LocatedFile {
  name: string
  file: CampaignFile
  /** `campaign.yaml:12`, or without the line where it is not known. */
  placeOf(path: readonly (string | number)[]): string
}

/** The file that the command was given, held against the schema. */
export const readCampaignFile = async (call: Pick<Call, 'positionals' | 'shell'>, command: string): Promise<CampaignFile> =>
  (await readLocatedFile(call, command)).file

export async function readLocatedFile({ positionals, shell }: Pick<Call, 'positionals' | 'shell'>, command: string): Promise<LocatedFile> {
  const [name, ...rest] = positionals
  if (name === undefined || rest.length > 0) throw new UsageError('Name one file.', `overture ${command} campaign.yaml`)
  return parseCampaignFile(shell, name)
}

async function parseCampaignFile(shell: Shell, name: string): Promise<LocatedFile> {
  const text = (await readNamed(shell, name)).toString('utf8')
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  // Aliases can make much of little, and are of no use here.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true })
  const wrong = document.errors[0]
  if (wrong) throw new UsageError(`${name}: ${wrong.message}`, 'mend the file')
  const value = document.toJS({ maxAliasCount: 0 }) as CampaignFile
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const validate = new Ajv2020({ allErrors: true, strict: false, validateFormats: false }).compile(fileSchema())
  const placeOf: LocatedFile['placeOf'] = path => {
    const node = path.length > 0 ? (document.getIn(path, true) as { range?: [number] } | undefined) : undefined
    return node?.range ? `${name}:${lines.linePos(node.range[0]).line}` : name
  }
  if (validate(value)) return { name, file: value, placeOf }
  const told = validate.errors!.slice(0, 10).map(({ instancePath, message, params }) => {
    const path = instancePath.split('/').slice(1)
    const { additionalProperty, allowedValue } = params as { additionalProperty?: string; allowedValue?: unknown }
    const extra = additionalProperty ?? (allowedValue === undefined ? undefined : String(allowedValue))
    return `${placeOf(additionalProperty ? [...path, additionalProperty] : path)}: ${path.join('.') || 'the file'} ${message}${extra ? ` (${extra})` : ''}`
  })
  throw new UsageError(told.join('\n'), 'overture schema   # what a campaign file may hold')
}
