import Type from 'typebox'
import { DateTime, Links, named, nullable, oneOf, strict, Url, Uuid } from '../../http/schema.ts'

export const TrackingHost = named(
  'TrackingHost',
  strict({
    workspaceId: Uuid,
    host: nullable(Type.String({ description: 'The host that was asked for; null when the workspace has none.' })),
    status: oneOf(['none', 'pending', 'verified', 'failing'], {
      description:
        '`pending`: not verified yet, and not used in links. `verified`: in use. `failing`: it was in use and does not work any more; messages with links wait.',
    }),
    reason: nullable(Type.String({ description: 'What the last look has found wrong.' })),
    linkOrigin: { ...Url, description: 'What the links of new messages begin with at present.' },
    record: nullable(
      strict(
        { type: Type.Literal('CNAME'), name: Type.String(), value: Type.String() },
        { description: 'The record to publish; null while this installation has no public name.' },
      ),
    ),
    verifiedAt: nullable(DateTime),
    checkedAt: nullable(DateTime),
    nextCheckAt: nullable(DateTime),
    links: Links,
  }),
)

export const TrackingHostResult = named('TrackingHostResult', strict({ trackingHost: TrackingHost }))

export const NewTrackingHost = named(
  'NewTrackingHost',
  strict({ host: Type.String({ minLength: 1, maxLength: 253, description: 'A name below your own domain, like `go.example.com`.' }) }),
)
