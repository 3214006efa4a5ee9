import { DateTime, Links, namedObject, nullable, oneOf, strict, Url, Uuid } from '../../http/schema.ts'
import { Type } from '../../lib/type.ts'

export const TrackingHost = namedObject('TrackingHost', {
  workspaceId: Uuid,
  host: nullable(Type.String({ description: 'The requested host; null when the workspace has none.' })),
  status: oneOf(['none', 'pending', 'verified', 'failing'], {
    description:
      '`pending`: not verified yet, and not used in links. `verified`: in use. `failing`: was in use and no longer works; messages with links wait.',
  }),
  reason: nullable(Type.String({ description: 'The problem that the last check found.' })),
  linkOrigin: { ...Url, description: 'The current base URL of links in new messages.' },
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
})

export const TrackingHostResult = namedObject('TrackingHostResult', { trackingHost: TrackingHost })

export const NewTrackingHost = namedObject('NewTrackingHost', {
  host: Type.String({ minLength: 1, maxLength: 253, description: 'A subdomain of your own domain, like `go.example.com`.' }),
})
