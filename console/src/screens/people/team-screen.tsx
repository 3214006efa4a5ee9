import type { Invitation, IssuedInvitation, Member, NewInvitation } from '@overture/sdk'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { sessionQuery, useWorkspace } from '@/data/session.ts'
import { usePages } from '@/data/use-answer.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Badge } from '@/ui/badge.tsx'
import { Button, Spinner } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { ACTIONS, type Column, DataTable } from '@/ui/data-table.tsx'
import { ConfirmDialog, FormDialog, SecretDialog } from '@/ui/dialog.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { isolate } from '@/ui/format.ts'
import { PeopleIcon, PlusIcon } from '@/ui/icons.tsx'
import { Select } from '@/ui/select.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { Page } from './page.tsx'

type Role = Member['role']

const ROLES: readonly { value: Role; label: string; about: string }[] = [
  { value: 'viewer', label: 'Viewer', about: 'Can view everything except keys and the audit log.' },
  { value: 'member', label: 'Member', about: 'Can also change campaigns, leads, mailboxes and suppressions, and buy leads.' },
  { value: 'admin', label: 'Admin', about: 'Can do everything except add, change or remove owners.' },
  { value: 'owner', label: 'Owner', about: 'Can do everything, and add, change or remove owners.' },
]

const roleName = (role: string): string => ROLES.find(({ value }) => value === role)?.label ?? role

export function TeamScreen() {
  const { may } = useWorkspace()
  const { data: identity } = useQuery(sessionQuery)
  const [isInviting, setInviting] = useState(false)
  const [issued, setIssued] = useState<IssuedInvitation | null>(null)
  const team = usePages(['team'], (api, page, options) => api.team.list(page, options))
  const me = identity?.user?.id
  const columns = useMemo(() => columnsOf(me), [me])
  const invite = may('team:write') ? (
    <Button variant="primary" icon={PlusIcon} onClick={() => setInviting(true)}>
      Invite teammate
    </Button>
  ) : null
  return (
    <Page
      title="Team"
      description="The members of this workspace and their roles."
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
              <EmptyState icon={PeopleIcon} title="No members yet" actions={invite}>
                Only workspace keys have access to this workspace.
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
          title={`Invitation for ${issued.email}`}
          secret={issued.url}
          about="Send this link to your teammate. It works once and expires after seven days."
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
    { id: 'joined', header: 'Joined', from: 'md', cell: ({ joinedAt }) => <Time at={joinedAt} isReal className="text-faint" /> },
    { ...ACTIONS, cell: member => <MemberActions member={member} isMe={member.id === me} /> },
  ]
}

const INVITED: Column<Invitation>[] = [
  { id: 'email', header: 'Invited', card: 'head', cell: ({ email }) => <span className="font-medium">{email}</span> },
  { id: 'role', header: 'Role', cell: ({ role }) => roleName(role) },
  { id: 'until', header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} isReal className="text-faint" /> },
  { ...ACTIONS, cell: invitation => <Withdraw invitation={invitation} /> },
]

function Withdraw({ invitation }: { invitation: Invitation }) {
  const { api, may } = useWorkspace()
  const withdraw = useOperation({
    send: (_: null, { idempotencyKey }) => api.team.withdrawInvitation(invitation.id, { idempotencyKey }),
    touches: [['invitations']],
    done: 'Invitation withdrawn',
    toastsErrors: true,
  })
  if (!may('team:write')) return null
  return (
    <Button
      size="sm"
      variant="danger"
      aria-label={`Withdraw invitation for ${invitation.email}`}
      phase={withdraw.phase}
      onClick={() => void withdraw.run(null)}
    >
      Withdraw
    </Button>
  )
}

function Invitations() {
  const pages = usePages(['invitations'], (api, page, options) => api.team.listInvitations(page, options))
  if (pages.rows.length === 0 && !pages.error) return null
  return (
    <Card title="Invitations" isFlush>
      <DataTable label="Invitations" columns={INVITED} pages={pages} empty={null} />
    </Card>
  )
}

function InviteDialog({ onClose, onInvited }: { onClose: () => void; onInvited: (made: IssuedInvitation) => void }) {
  const { api } = useWorkspace()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const invite = useOperation({
    send: (body: NewInvitation, { idempotencyKey }) => api.team.invite(body, { idempotencyKey }),
    // A second invitation ends the first one, so sending it again is safe.
    repeats: true,
    touches: [['invitations']],
    onDone: onInvited,
  })
  const body: NewInvitation = { email: email.trim(), role }
  const emailIssue = issueFor(invite.error, 'email')
  return (
    <FormDialog
      onClose={onClose}
      title="Invite teammate"
      description="Overture creates a link but does not email it. Send it to your teammate."
      verb="Create invite link"
      operation={invite}
      isComplete={email.includes('@')}
      onSubmit={() => void invite.run(body)}
      issue={emailIssue}
      call={overture => overture.team.invite(body)}
    >
      <Field label="Email address" error={emailIssue}>
        <Input type="email" value={email} onValueChange={setEmail} placeholder="ann@example.com" autoFocus />
      </Field>
      <div className="flex flex-col gap-1.5">
        <span className="font-medium text-sm">Role</span>
        <Select label="Role" options={ROLES} value={role} onChange={setRole} />
        <span className="text-faint text-xs">{ROLES.find(({ value }) => value === role)?.about}</span>
      </div>
    </FormDialog>
  )
}

function MemberRole({ member }: { member: Member }) {
  const { api, may } = useWorkspace()
  const change = useOperation({
    send: (role: Role, { idempotencyKey }) => api.team.update(member.id, { role }, { idempotencyKey }),
    touches: [['team'], ['session'], ['invitations']],
    done: ({ role }) => `Role of ${isolate(member.user.name)} changed to ${roleName(role).toLowerCase()}`,
    toastsErrors: true,
  })
  if (!may('team:write')) return roleName(member.role)
  return (
    <span className="flex items-center gap-2">
      <Select
        label={`Role of ${member.user.name}`}
        className="min-w-28!"
        options={ROLES}
        value={member.role}
        disabled={change.isBusy}
        onChange={role => role !== member.role && void change.run(role)}
      />
      {change.isBusy ? <Spinner /> : null}
    </span>
  )
}

function MemberActions({ member, isMe }: { member: Member; isMe: boolean }) {
  const { api, may } = useWorkspace()
  const [isAsking, setAsking] = useState(false)
  const remove = useOperation({
    send: (_: null, { idempotencyKey }) => api.team.remove(member.id, { idempotencyKey }),
    touches: isMe ? [['session']] : [['team'], ['invitations']],
    done: isMe ? 'You left the workspace' : `${isolate(member.user.name)} removed`,
    onDone: () => setAsking(false),
  })
  if (!isMe && !may('team:write')) return null
  return (
    <>
      <Button
        size="sm"
        variant="danger"
        aria-label={isMe ? 'Leave workspace' : `Remove ${member.user.name}`}
        onClick={() => setAsking(true)}
      >
        {isMe ? 'Leave' : 'Remove'}
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={isMe ? 'Leave this workspace?' : `Remove ${isolate(member.user.name)}?`}
          verb={isMe ? 'Leave workspace' : 'Remove teammate'}
          operation={remove}
          onClose={() => setAsking(false)}
        >
          {isMe
            ? 'Your tokens and sessions lose access. A teammate has to invite you back.'
            : 'Their tokens and sessions lose access. Workspace keys they created still work. Revoke those too if needed.'}
        </ConfirmDialog>
      ) : null}
    </>
  )
}
