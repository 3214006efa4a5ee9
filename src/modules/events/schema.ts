import { DateTime, Links, named, strict, Uuid } from '../../http/schema.ts'
import { type TSchema, Type } from '../../lib/type.ts'
import { ABOUT } from './about-schema.ts'
import { EVENT_DATA, EVENT_TYPES, type EventType } from './data-schema.ts'

/** `campaign.attention_needed` as the name of a schema. */
const nameOf = (type: EventType): string => type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())

const DATA = new Map<EventType, TSchema>(
  EVENT_TYPES.map(type => {
    const data: TSchema & { title?: string } = EVENT_DATA[type]
    return [type, data.title ? data : named(`${nameOf(type)}Data`, data)]
  }),
)

const envelopeOf = (type: EventType) => ({
  id: Uuid,
  type: Type.Unsafe<EventType>({ type: 'string', const: type, description: 'The type of the event.' }),
  timestamp: DateTime,
  workspaceId: Uuid,
  seq: Type.Integer({
    minimum: 1,
    description: 'The number of the event within the workspace: consecutive, in the order in which the events happened.',
  }),
  data: DATA.get(type)!,
})

const variantName = (type: EventType): string => `${nameOf(type)}Event`

const EXAMPLE = {
  envelope: {
    id: '0197b1c2-4f6a-7000-8000-000000000001',
    timestamp: '2026-03-02T08:00:00.000Z',
    workspaceId: '0197b1c2-4f6a-7000-8000-000000000000',
    seq: 4711,
  },
  path: '/v1/workspaces/0197b1c2-4f6a-7000-8000-000000000000/events/0197b1c2-4f6a-7000-8000-000000000001',
}

/** As in the body of a webhook, with its own address. Its type says what is in `data`. */
export const Event = named(
  'Event',
  Type.Unsafe<unknown>({
    oneOf: EVENT_TYPES.map(type => {
      const { when, example } = ABOUT[type]
      const links = { self: `https://outreach.example${EXAMPLE.path}` }
      const examples = [{ ...EXAMPLE.envelope, type, data: example, links }]
      return named(variantName(type), strict({ ...envelopeOf(type), links: Links }, { description: when, examples }))
    }),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(EVENT_TYPES.map(type => [type, `#/components/schemas/${variantName(type)}`])),
    },
  }),
)

/** The bodies of webhooks, by the type of the event. */
export const WEBHOOK_BODIES: ReadonlyMap<string, TSchema> = new Map(
  EVENT_TYPES.map(type => [type, strict(envelopeOf(type), { description: ABOUT[type].when })]),
)
