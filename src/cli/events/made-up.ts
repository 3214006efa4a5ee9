import { newId } from '../../lib/ids.ts'
import { propertiesOf, resolved, type Schema } from '../api/document.ts'
import type { Forwarded } from './forward.ts'
import { bodySchemaOf } from './types.ts'

/** What usually stands in a field of this name. It is used where the schema of the event allows it. */
const USUAL: Record<string, unknown> = {
  email: 'ann@example.com',
  fromEmail: 'ada@overture.example',
  fullName: 'Ann Archer',
  company: 'Acme',
  jobTitle: 'Head of Sales',
  name: 'Spring',
  subject: 'Re: A question',
  text: 'Sounds good. Could we talk next week?',
  kind: 'positive',
  previousKind: 'neutral',
  judgedKind: 'neutral',
  confidence: 0.97,
  messageId: '<made-up@example.com>',
  url: 'https://example.com/tour',
  downloadUrl: 'https://example.com/export.csv',
  judgedBy: 'person',
  machine: false,
  needsLook: false,
  by: 'api',
  reason: 'made up by overture trigger',
  action: 'campaign.pause',
  changed: ['name'],
  status: '5.1.1',
  diagnostic: '550 5.1.1 no such user',
  returnDate: '2030-01-07',
  from: 'contacted',
  to: 'interested',
  message: 'Made up by overture trigger.',
  code: 'internal_error',
  retryable: false,
  requestedCount: 100,
  exportedCount: 100,
  creditsCharged: 100,
}

/** Of these the state before and after is known. */
const STATES: Record<string, { from: string; to: string }> = {
  'campaign.activated': { from: 'draft', to: 'active' },
  'campaign.paused': { from: 'active', to: 'paused' },
  'campaign.resumed': { from: 'paused', to: 'active' },
  'campaign.completed': { from: 'active', to: 'completed' },
  'campaign.archived': { from: 'paused', to: 'archived' },
  'campaign.unarchived': { from: 'archived', to: 'paused' },
  'campaign.attention_needed': { from: 'active', to: 'attention_needed' },
}

/** An event of this type that never happened, as a webhook would bring it. */
export function madeUpEvent(type: string, now: Date): Forwarded {
  const usual = { ...USUAL, ...STATES[type] }
  return madeUpValue(bodySchemaOf(type), '', { now, usual }) as Forwarded
}

interface Making {
  now: Date
  usual: Record<string, unknown>
}

function madeUpValue(schema: Schema, name: string, making: Making): unknown {
  const whole = resolved(schema)
  if ('const' in whole) return whole.const
  const usual = Object.hasOwn(making.usual, name) ? making.usual[name] : undefined
  if (whole.enum) return whole.enum.includes(usual) ? usual : whole.enum.find(value => value !== null)
  const shapes = [...(whole.anyOf ?? []), ...(whole.oneOf ?? [])]
  if (shapes.length > 0 && !whole.properties) {
    return madeUpValue(shapes.find(shape => resolved(shape).type !== 'null') ?? shapes[0]!, name, making)
  }
  const type = [whole.type].flat().find(each => each !== 'null')
  if (type === 'object' || whole.properties || whole.allOf) {
    const { properties } = propertiesOf(whole)
    return Object.fromEntries(Object.entries(properties).map(([field, inner]) => [field, madeUpValue(inner, field, making)]))
  }
  if (type === 'array') return Array.isArray(usual) ? usual : whole.minItems ? [madeUpValue(whole.items ?? {}, name, making)] : []
  if (type === 'integer' || type === 'number') return numberOf(whole, usual, type)
  if (type === 'boolean') return typeof usual === 'boolean' ? usual : true
  if (type === 'string') return textOf(whole, usual, making.now)
  return null
}

function numberOf({ minimum = 0 }: Schema, usual: unknown, type: string): number {
  const fits = typeof usual === 'number' && usual >= minimum && (type === 'number' || Number.isInteger(usual))
  return fits ? usual : Math.max(minimum, 0)
}

function textOf({ format }: Schema, usual: unknown, now: Date): string {
  if (format === 'uuid') return newId(now.getTime())
  if (format === 'date-time') return now.toISOString()
  if (format === 'date') return now.toISOString().slice(0, 10)
  if (typeof usual === 'string') return usual
  return format === 'uri' ? 'https://example.com/' : format === 'email' ? 'ann@example.com' : 'made up'
}
