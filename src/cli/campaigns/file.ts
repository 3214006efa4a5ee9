import type { ErrorObject } from 'ajv'
import { wrongUsage } from '../../lib/command-failure.ts'
import { isUuid } from '../../lib/ids.ts'
import type { JsonSchema } from '../../lib/openapi.ts'
import { apiDocument, propertiesOf, resolved } from '../api/document.ts'
import type { Call } from '../command.ts'
import { suggestion } from '../flags.ts'
import { type Rehearsal, rehearsalSchema } from '../rehearsal/section.ts'
import { readNamed, type Shell } from '../shell.ts'

interface FileStep {
  delayDays: number
  variants: { subject?: string | null; body: string; weight?: number }[]
}

/** A campaign file. A section that is left out is not changed. */
export interface CampaignFile {
  campaign: { id?: string; name: string } & Record<string, unknown>
  schedule?: Record<string, unknown>
  mailboxes?: string[]
  contactRules?: Record<string, unknown>
  sequence?: FileStep[]
  /** The settings of the rehearsal. They are not sent to a service. */
  rehearsal?: Rehearsal
}

/** A valid file, with the positions of its values. */
export interface LocatedFile {
  name: string
  file: CampaignFile
  /** `campaign.yaml:12`, or without the line where it is not known. */
  placeOf(path: readonly (string | number)[]): string
}

/** Reads the file of the command and validates it against the schema. */
export const readCampaignFile = async (call: Pick<Call, 'positionals' | 'shell'>, command: string): Promise<CampaignFile> =>
  (await readLocatedFile(call, command)).file

export async function readLocatedFile({ positionals, shell }: Pick<Call, 'positionals' | 'shell'>, command: string): Promise<LocatedFile> {
  const [name, ...rest] = positionals
  if (name === undefined || rest.length > 0) throw wrongUsage('Specify one file.', `overture ${command} campaign.yaml`)
  return parseCampaignFile(shell, name, command)
}

/** The texts of the largest sequence are 5 MB. */
const MOST_BYTES = 8_000_000
/** Names, values, marks and line ends; a text of many lines is one. The largest campaign has about 3,000. */
const MOST_PARTS = 20_000

async function parseCampaignFile(shell: Shell, name: string, command: string): Promise<LocatedFile> {
  const text = (await readNamed(shell, name, MOST_BYTES)).toString('utf8')
  const { isScalar, Lexer, LineCounter, parseDocument, visit } = await import('yaml')
  // The reader compares each key with all others of its section, so a file with very many of them would never be read.
  let parts = 0
  for (const _ of new Lexer().lex(text)) {
    if (++parts > MOST_PARTS) {
      throw wrongUsage(`${name} has too many entries for a campaign.`, 'overture import LEADS.csv --campaign NAME   # for a list of people')
    }
  }
  const lines = new LineCounter()
  // Aliases can expand a small file to a huge one, and are not needed here.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const again = `overture ${command} ${name}`
  const wrong = document.errors[0]
  if (wrong) {
    const { line, col } = lines.linePos(wrong.pos[0])
    throw wrongUsage(`${name}:${line}:${col}: this is not valid YAML: ${wrong.message}`, `${again}   # after line ${line} is corrected`)
  }
  if (document.contents === null) {
    throw wrongUsage(`${name} is empty.`, `overture pull CAMPAIGN > ${name}   # or begin with the example in docs/examples/campaign.yaml`)
  }
  visit(document, {
    Pair(_, { key }) {
      // A number or a date as a name would not be found again under its text.
      if (!isScalar(key) || typeof key.value !== 'string') {
        const { line } = lines.linePos((key as { range?: [number] } | null)?.range?.[0] ?? 0)
        throw wrongUsage(`${name}:${line}: the name of a field must be text.`, `${again}   # after line ${line} is corrected`)
      }
    },
    Alias(_, { range, source }) {
      const { line } = lines.linePos(range![0])
      throw wrongUsage(
        `${name}:${line}: *${source} is an alias. Write its content here instead.`,
        `${again}   # after line ${line} is corrected`,
      )
    },
  })
  const value = document.toJS() as CampaignFile
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  // Only ids are checked for their format, because they become part of the address of a request; the service checks the rest.
  const formats = { uuid: isUuid }
  const validate = new Ajv2020({ allErrors: true, verbose: true, strict: false, formats, logger: false }).compile(fileSchema())
  const placeOf: LocatedFile['placeOf'] = path => {
    const node = path.length > 0 ? (document.getIn(path, true) as { range?: [number] } | undefined) : undefined
    return node?.range ? `${name}:${lines.linePos(node.range[0]).line}` : name
  }
  if (validate(value)) return { name, file: value, placeOf }
  const told = validate.errors!.slice(0, MOST_TOLD).map(problem => {
    const path = problem.instancePath
      .split('/')
      .slice(1)
      .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    const { additionalProperty: unknown } = problem.params as { additionalProperty?: string }
    return `${placeOf(unknown ? [...path, unknown] : path)}: ${problemIn(problem, path, document.getIn(path))}`
  })
  throw wrongUsage(told.join('\n'), `${again}   # after the correction; overture schema prints the schema of campaign files`)
}

const MOST_TOLD = 10
const KINDS: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'a section with fields',
}

/** The error at one place, with the value and the allowed values. */
function problemIn({ keyword, params, message, parentSchema }: ErrorObject, path: readonly string[], found: unknown): string {
  const where = path.join('.') || 'the file'
  const text = JSON.stringify(found)
  const shown = typeof found === 'object' ? '' : `, not ${text.length > 60 ? `${text.slice(0, 60)}...` : text}`
  const known = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {})
  switch (keyword) {
    case 'type':
      return `${where} must be ${[params.type]
        .flat()
        .map(type => KINDS[String(type)] ?? String(type))
        .join(' or ')}${shown}`
    case 'enum':
      return `${where} must be one of ${(params.allowedValues as unknown[]).join(', ')}${shown}`
    case 'format':
      return `${where} must be an id (a UUID)${shown}`
    case 'required':
      return `${where} needs ${params.missingProperty}`
    case 'additionalProperties': {
      const unknown = String(params.additionalProperty)
      return `${where} has no field ${unknown}.${suggestion(unknown, known) || ` The fields are ${known.join(', ')}`}`
    }
    default:
      return `${where} ${message}${shown}`
  }
}

const named = (name: string): JsonSchema => apiDocument().components.schemas[name]!

/** The fields of `campaign:`: the settings of a campaign, without its rules, which have their own section. */
export const settingNames = (): string[] =>
  Object.keys(propertiesOf(named('SettingsUpdate')).properties).filter(name => name !== 'contactRules')

/** Without references into the API's document, because an editor has only this file. */
function whole(schema: JsonSchema): JsonSchema {
  const { examples: _, ...own } = resolved(schema)
  const inner = (each: Record<string, JsonSchema>) => Object.fromEntries(Object.entries(each).map(([name, value]) => [name, whole(value)]))
  return {
    ...own,
    ...(own.properties ? { properties: inner(own.properties) } : {}),
    ...(own.items ? { items: whole(own.items) } : {}),
    ...(own.anyOf ? { anyOf: own.anyOf.map(whole) } : {}),
  }
}

/** The JSON Schema of a campaign file, made from that of the API. */
export function fileSchema(): Record<string, unknown> {
  const settings = propertiesOf(named('SettingsUpdate')).properties
  const mailbox = propertiesOf(named('NewProvider')).properties
  const steps = propertiesOf(named('NewSequence')).properties.steps!
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'An Overture campaign',
    type: 'object',
    required: ['campaign'],
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      campaign: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        description: 'Settings that you leave out do not change.',
        properties: {
          id: { type: 'string', format: 'uuid', description: 'The id of the campaign. Without it, the campaign with this name is used.' },
          ...Object.fromEntries(settingNames().map(name => [name, whole(settings[name]!)])),
        },
      },
      schedule: {
        ...whole(named('ScheduleUpdate')),
        description: 'Fields that you leave out do not change. Send the three fields of the window together.',
      },
      mailboxes: {
        type: 'array',
        minItems: 1,
        maxItems: 51,
        uniqueItems: true,
        items: { type: 'string', minLength: 1 },
        description: 'Addresses of mailboxes, or their ids. First contacts are distributed among all of them.',
      },
      contactRules: whole(named('ContactOverrides')),
      sequence: whole(steps),
      rehearsal: rehearsalSchema(name => whole(mailbox[name]!)),
    },
  }
}
