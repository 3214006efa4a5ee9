import type { Session } from '@overture/sdk'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Badge } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { ACTIONS, type Column, DataTable } from '@/ui/data-table.tsx'
import { ScreenIcon } from '@/ui/icons.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useSessions } from './data.ts'
import { Page } from './page.tsx'

/** The browser and the system. Edge also claims to be Chrome, and Chrome to be Safari, so the order matters. */
function browserWords(userAgent: string | null): string {
  if (!userAgent) return 'Unknown browser'
  const known = ['Edg', 'Firefox', 'Chrome', 'Safari'].find(name => userAgent.includes(`${name}/`))
  const browser = known === 'Edg' ? 'Edge' : (known ?? userAgent.split(/[ /]/)[0]!)
  const system = /(Windows|iPhone|iPad|Android|Mac OS X|Linux|CrOS)/.exec(userAgent)?.[1]?.replace('Mac OS X', 'macOS')
  return system ? `${browser} on ${system}` : browser
}

const COLUMNS: Column<Session>[] = [
  {
    id: 'browser',
    header: 'Browser',
    card: 'head',
    cell: session => (
      <span className="flex items-center gap-2 font-medium" title={session.userAgent ?? undefined}>
        {browserWords(session.userAgent)}
        {session.isCurrent ? <Badge tone="accent">This browser</Badge> : null}
      </span>
    ),
  },
  { id: 'token', header: 'Signed in with', cell: session => session.tokenName },
  { id: 'used', header: 'Last used', cell: session => <Time at={session.lastUsedAt} isReal className="text-faint" /> },
  {
    id: 'begun',
    header: 'Started',
    from: 'md',
    card: 'none',
    cell: ({ createdAt }) => <Time at={createdAt} isReal className="text-faint" />,
  },
  { id: 'ends', header: 'Expires', from: 'md', cell: session => <Time at={session.expiresAt} isReal className="text-faint" /> },
  { ...ACTIONS, cell: session => <Revoke session={session} /> },
]

function Revoke({ session }: { session: Session }) {
  const { api, mayOwn } = useWorkspace()
  const revoke = useOperation({
    send: (_: null, { idempotencyKey }) => api.sessions.revoke(session.id, { idempotencyKey }),
    touches: session.isCurrent ? [['session']] : [['sessions']],
    done: 'Session ended',
    toastsErrors: true,
  })
  if (!mayOwn('tokens:write')) return null
  return (
    <Button size="sm" variant="danger" phase={revoke.phase} onClick={() => void revoke.run(null)}>
      {session.isCurrent ? 'Sign out' : 'End session'}
    </Button>
  )
}

export function SessionsScreen() {
  const pages = useSessions()
  return (
    <Page
      title="Sessions"
      description="Browsers that are signed in as you. A session expires after 12 hours without use."
      scope="tokens:read"
      isOwn
      call={overture => overture.sessions.list()}
    >
      <Card isFlush>
        <DataTable
          label="Sessions"
          columns={COLUMNS}
          pages={pages}
          empty={
            <EmptyState icon={ScreenIcon} title="No sessions">
              No browser is signed in.
            </EmptyState>
          }
        />
      </Card>
    </Page>
  )
}
