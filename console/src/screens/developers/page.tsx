import type { Operation, WebhookEndpoint } from '@overture/sdk'
import { Badge, Status } from '@/ui/badge.tsx'
import type { Column } from '@/ui/data-table.tsx'
import { type PageProps, SectionPage } from '@/ui/page.tsx'
import { Time } from '@/ui/time.tsx'

const SECTION = {
  label: 'Developers',
  tabs: [
    { to: '/developers/operations', label: 'Operations' },
    { to: '/developers/events', label: 'Events' },
    { to: '/developers/webhooks', label: 'Webhooks' },
    { to: '/developers/keys', label: 'Tokens and keys' },
    { to: '/developers/sessions', label: 'Sessions' },
    { to: '/developers/credits', label: 'Credits' },
    { to: '/developers/audit', label: 'Audit log' },
  ],
} as const

export const Page = (props: PageProps) => <SectionPage section={SECTION} {...props} />

const KINDS = { user: 'person', token: 'key', system: 'automatic' }

/** The author of a request: a person, a workspace key, or Overture itself. */
export function Actor({ actor }: { actor: Operation['actor'] }) {
  return (
    <span className="flex min-w-0 items-baseline gap-1.5">
      <span className="truncate">{actor.name}</span>
      {actor.type === 'user' ? null : <span className="shrink-0 text-faint text-xs">{KINDS[actor.type]}</span>}
    </span>
  )
}

/** The columns that operations and the audit log share. */
export const SHARED = {
  status: { id: 'status', header: 'Status', card: 'mark', cell: ({ status }) => <Status status={status} /> },
  actor: { id: 'actor', header: 'By', from: 'md', cell: ({ actor }) => <Actor actor={actor} /> },
  when: { id: 'when', header: 'When', align: 'right', cell: ({ createdAt }) => <Time at={createdAt} isReal className="text-faint" /> },
} as const satisfies Record<string, Column<Pick<Operation, 'status' | 'actor' | 'createdAt'>>>

/** How long the operation waited and ran. Null means that it has not ended yet. */
export function durationsOf({ createdAt, startedAt, completedAt }: Pick<Operation, 'createdAt' | 'startedAt' | 'completedAt'>) {
  const between = (from: string | null, to: string | null) => (from && to ? Date.parse(to) - Date.parse(from) : null)
  return { waitedMs: between(createdAt, startedAt), ranMs: between(startedAt, completedAt), totalMs: between(createdAt, completedAt) }
}

export function durationWords(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

const WHY = { gone: 'Stopped after response 410', failing: 'Stopped after failing for five days' }

export function WebhookStatus({ endpoint: { status, disabledReason } }: { endpoint: WebhookEndpoint }) {
  return disabledReason ? <Badge tone="bad">{WHY[disabledReason]}</Badge> : <Status status={status} />
}
