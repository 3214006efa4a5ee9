import type { Call } from '../command.ts'
import { UsageError } from '../failures.ts'
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
}

/** The file that the command was given, held against the schema. */
export async function readCampaignFile(
  { positionals, shell }: Pick<Call, 'positionals' | 'shell'>,
  command: string,
): Promise<CampaignFile> {
  const [name, ...rest] = positionals
  if (name === undefined || rest.length > 0) throw new UsageError('Name one file.', `overture ${command} campaign.yaml`)
  return parseCampaignFile(shell, name)
}

async function parseCampaignFile(shell: Shell, name: string): Promise<CampaignFile> {
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
  if (validate(value)) return value
  const told = validate.errors!.slice(0, 10).map(({ instancePath, message, params }) => {
    const path = instancePath.split('/').slice(1)
    const node = path.length > 0 ? (document.getIn(path, true) as { range?: [number] } | undefined) : undefined
    const line = node?.range ? `:${lines.linePos(node.range[0]).line}` : ''
    const extra = (params as { additionalProperty?: string }).additionalProperty
    return `${name}${line}: ${path.join('.') || 'the file'} ${message}${extra ? ` (${extra})` : ''}`
  })
  throw new UsageError(told.join('\n'), 'overture schema   # what a campaign file may hold')
}
