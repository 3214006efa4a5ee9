import type { IssuedInvitation, NewInvitation } from '@overture/sdk'
import { type FormEvent, useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { Select } from '@/ui/select.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { ROLES, type Role } from './roles.ts'

const FORM = 'invite'

export function InviteDialog({ onClose, onInvited }: { onClose: () => void; onInvited: (made: IssuedInvitation) => void }) {
  const { api, id } = useWorkspace()
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void invite.run(body)
  }
  const emailIssue = issueFor(invite.error, 'email')
  return (
    <Dialog
      open
      onClose={onClose}
      title="Invite somebody"
      description="You get a link and send it yourself: nothing is mailed."
      actions={
        <>
          <span className="mr-auto">
            <CopyAs
              call={{
                method: 'POST',
                path: `/v1/workspaces/${id}/members`,
                body,
                sdk: `overture.team.invite(${JSON.stringify(body)})`,
              }}
            />
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={FORM} phase={invite.phase} disabled={!email.includes('@')}>
            Make the link
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={submit} className="flex flex-col gap-4">
        {emailIssue ? null : <ErrorNote error={invite.error} />}
        <Field label="E-mail address" error={emailIssue}>
          <Input type="email" value={email} onChange={event => setEmail(event.target.value)} placeholder="ann@example.com" autoFocus />
        </Field>
        <div className="flex flex-col gap-1.5">
          <span className="font-medium text-sm">Role</span>
          <Select label="Role" options={ROLES} value={role} onChange={setRole} />
          <span className="text-faint text-xs">{ROLES.find(({ value }) => value === role)?.about}</span>
        </div>
      </form>
    </Dialog>
  )
}
