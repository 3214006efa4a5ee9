import { about, DateTime, Links, namedObject, nullable, oneOf, strict, Url, Uuid } from '../../http/schema.ts'
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
  record: about(
    nullable(
      strict({ type: Type.Literal('CNAME', { description: 'The type of the record.' }), name: Type.String(), value: Type.String() }),
    ),
    'The record to publish; null while this installation has no public name.',
  ),
  verifiedAt: about(nullable(DateTime), 'When it was last found to work.'),
  checkedAt: about(nullable(DateTime), 'When it was checked last.'),
  nextCheckAt: about(nullable(DateTime), 'When it is checked next.'),
  links: Links,
})

export const TrackingHostResult = namedObject('TrackingHostResult', { trackingHost: about(TrackingHost, 'The tracking host.') })

export const NewTrackingHost = namedObject('NewTrackingHost', {
  host: Type.String({ minLength: 1, maxLength: 253, description: 'A subdomain of your own domain, like `go.example.com`.' }),
})
