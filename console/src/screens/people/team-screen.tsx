import type { Invitation, IssuedInvitation, Member } from '@overture/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { sessionQuery, useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Badge } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { DataTable } from '@/ui/data-table.tsx'
import { PeopleIcon, PlusIcon } from '@/ui/icons.tsx'
import { lazyPart } from '@/ui/lazy-part.ts'
import { ACTIONS, type Column } from '@/ui/rows.tsx'
import { SecretDialog } from '@/ui/secret-dialog.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useInvitations, useTeam } from './data.ts'
import { MemberActions, MemberRole } from './member-actions.tsx'
import { Page } from './page.tsx'
import { ROLES, roleName } from './roles.ts'

const InviteDialog = lazyPart(() => import('./invite-dialog.tsx').then(module => module.InviteDialog))

export function TeamScreen() {
  const { may } = useWorkspace()
  const { data: identity } = useQuery(sessionQuery)
  const [isInviting, setInviting] = useState(false)
  const [issued, setIssued] = useState<IssuedInvitation | null>(null)
  const team = useTeam()
  const me = identity?.user?.id
  const columns = useMemo(() => columnsOf(me), [me])
  const invite = may('team:write') ? (
    <Button variant="primary" icon={PlusIcon} onClick={() => setInviting(true)}>
      Invite
    </Button>
  ) : null
  return (
    <Page
      title="Team"
      description="Who is in this workspace, and what each of them may do."
      scope="team:read"
      call={overture => overture.team.list()}
      actions={invite}
    >
      <div className="flex flex-col gap-5">
        <Card isFlush>
          <DataTable
            label="People"
            columns={columns}
            pages={team}
            empty={
              <EmptyState icon={PeopleIcon} title="Nobody is here" actions={invite}>
                Only keys reach this workspace so far.
              </EmptyState>
            }
          />
        </Card>
        <Invitations />
        <Card title="Roles">
          <dl className="flex flex-col gap-3 sm:gap-2">
            {ROLES.map(({ value, label, about }) => (
              <div key={value} className="gap-x-6 sm:grid sm:grid-cols-[6rem_1fr]">
                <dt className="font-medium">{label}</dt>
                <dd className="text-soft">{about}</dd>
              </div>
            ))}
          </dl>
        </Card>
      </div>
      {isInviting ? (
        <InviteDialog
          onClose={() => setInviting(false)}
          onInvited={made => {
            setInviting(false)
            setIssued(made)
          }}
        />
      ) : null}
      {issued?.url ? (
        <SecretDialog
          title={`The invitation of ${issued.email}`}
          secret={issued.url}
          about="Send the link yourself: nothing was mailed. It works once, for seven days."
          onClose={() => setIssued(null)}
        />
      ) : null}
    </Page>
  )
}

function columnsOf(me: string | undefined): Column<Member>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      card: 'head',
      cell: ({ user }) => (
        <>
          <span className="flex items-center gap-2 font-medium">
            <bdi>{user.name}</bdi>
            {user.id === me ? <Badge tone="accent">You</Badge> : null}
          </span>
          <span className="block text-faint text-xs">{user.email}</span>
        </>
      ),
    },
    { id: 'role', header: 'Role', cell: member => <MemberRole member={member} /> },
    { id: 'joined', header: 'Joined', from: 'md', cell: ({ joinedAt }) => <Time at={joinedAt} className="text-faint" /> },
    { ...ACTIONS, cell: member => <MemberActions member={member} isMe={member.id === me} /> },
  ]
}

const INVITED: Column<Invitation>[] = [
  { id: 'email', header: 'Invited', card: 'head', cell: ({ email }) => <span className="font-medium">{email}</span> },
  { id: 'role', header: 'As', cell: ({ role }) => roleName(role) },
  { id: 'until', header: 'Works until', cell: ({ expiresAt }) => <Time at={expiresAt} className="text-faint" /> },
  { ...ACTIONS, cell: invitation => <Withdraw invitation={invitation} /> },
]

function Withdraw({ invitation }: { invitation: Invitation }) {
  const { api, may } = useWorkspace()
  const withdraw = useOperation({
    send: (_: null, { idempotencyKey }) => api.team.withdrawInvitation(invitation.id, { idempotencyKey }),
    touches: [['invitations']],
    done: 'The invitation is withdrawn',
    toastsErrors: true,
  })
  if (!may('team:write')) return null
  return (
    <Button
      size="sm"
      variant="danger"
      aria-label={`Withdraw the invitation of ${invitation.email}`}
      phase={withdraw.phase}
      onClick={() => void withdraw.run(null)}
    >
      Withdraw
    </Button>
  )
}

/** Open invitations; nothing where there are none. */
function Invitations() {
  const pages = useInvitations()
  if (pages.rows.length === 0 && !pages.error) return null
  return (
    <Card title="Invitations" isFlush>
      <DataTable label="Invitations" columns={INVITED} pages={pages} empty={null} />
    </Card>
  )
}
