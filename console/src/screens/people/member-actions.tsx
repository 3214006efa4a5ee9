import type { Member } from '@overture/sdk'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { ConfirmDialog } from '@/ui/confirm-dialog.tsx'
import { isolate } from '@/ui/format.ts'
import { Select } from '@/ui/select.tsx'
import { Spinner } from '@/ui/spinner.tsx'
import { ROLES, type Role, roleName } from './roles.ts'

export function MemberRole({ member }: { member: Member }) {
  const { api, may } = useWorkspace()
  const change = useOperation({
    send: (role: Role, { idempotencyKey }) => api.team.update(member.id, { role }, { idempotencyKey }),
    touches: [['team'], ['session'], ['invitations']],
    done: ({ role }) => `${isolate(member.user.name)} is ${roleName(role).toLowerCase()} now`,
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

export function MemberActions({ member, isMe }: { member: Member; isMe: boolean }) {
  const { api, may } = useWorkspace()
  const [isAsking, setAsking] = useState(false)
  const remove = useOperation({
    send: (_: null, { idempotencyKey }) => api.team.remove(member.id, { idempotencyKey }),
    touches: isMe ? [['session']] : [['team'], ['invitations']],
    done: isMe ? 'You have left the workspace' : `${isolate(member.user.name)} is removed`,
    onDone: () => setAsking(false),
  })
  if (!isMe && !may('team:write')) return null
  return (
    <>
      <Button
        size="sm"
        variant="danger"
        aria-label={isMe ? 'Leave the workspace' : `Remove ${member.user.name}`}
        onClick={() => setAsking(true)}
      >
        {isMe ? 'Leave' : 'Remove'}
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={isMe ? 'Leave this workspace?' : `Remove ${isolate(member.user.name)}?`}
          verb={isMe ? 'Leave' : 'Remove'}
          operation={remove}
          onConfirm={() => void remove.run(null)}
          onClose={() => setAsking(false)}
        >
          {isMe
            ? 'Your tokens and sessions do not reach it any more. Somebody else has to invite you back.'
            : 'Their tokens and sessions do not reach this workspace any more. Keys of the workspace that they made go on: revoke those, too.'}
        </ConfirmDialog>
      ) : null}
    </>
  )
}
