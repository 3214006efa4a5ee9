import Type from 'typebox'
import { DateTime, named, oneOf, strict, Uuid } from '../../http/schema.ts'
import { EVENT_TYPES } from './events.ts'

/** The same in the list and in the body of a webhook. */
export const Event = named(
  'Event',
  strict({
    id: Uuid,
    seq: Type.Integer({
      minimum: 1,
      description: 'Its number within the workspace: without gaps, in the order in which things happened.',
    }),
    type: oneOf(EVENT_TYPES),
    timestamp: DateTime,
    workspaceId: Uuid,
    data: Type.Object({}, { additionalProperties: true, description: 'What happened; its fields depend on the type.' }),
  }),
)
