import type { IssuedInvitation, NewInvitation } from '@overture/sdk'
import { useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Field, Input } from '@/ui/field.tsx'
import { FormDialog } from '@/ui/form-dialog.tsx'
import { Select } from '@/ui/select.tsx'
import { ROLES, type Role } from './roles.ts'

export function InviteDialog({ onClose, onInvited }: { onClose: () => void; onInvited: (made: IssuedInvitation) => void }) {
  const { api } = useWorkspace()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const invite = useOperation({
    send: (body: NewInvitation, { idempotencyKey }) => api.team.invite(body, { idempotencyKey }),
    // A second invitation ends the first, whose link nobody has seen.
    repeats: true,
    touches: [['invitations']],
    onDone: onInvited,
  })
  const body: NewInvitation = { email: email.trim(), role }
  const emailIssue = issueFor(invite.error, 'email')
  return (
    <FormDialog
      onClose={onClose}
      title="Invite somebody"
      description="You get a link and send it yourself: nothing is mailed."
      verb="Make the link"
      operation={invite}
      isComplete={email.includes('@')}
      onSubmit={() => void invite.run(body)}
      issue={emailIssue}
      call={overture => overture.team.invite(body)}
    >
      <Field label="E-mail address" error={emailIssue}>
        <Input type="email" value={email} onChange={event => setEmail(event.target.value)} placeholder="ann@example.com" autoFocus />
      </Field>
      <div className="flex flex-col gap-1.5">
        <span className="font-medium text-sm">Role</span>
        <Select label="Role" options={ROLES} value={role} onChange={setRole} />
        <span className="text-faint text-xs">{ROLES.find(({ value }) => value === role)?.about}</span>
      </div>
    </FormDialog>
  )
}
