import type { NewCreditGrant } from '@overture/sdk'
import { type FormEvent, useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { formatNoun } from '@/ui/format.ts'
import { ErrorNote } from '@/ui/states.tsx'

const FORM = 'grant'

export function GrantDialog({ onClose }: { onClose: () => void }) {
  const { api, id } = useWorkspace()
  const [amount, setAmount] = useState('1000')
  const [note, setNote] = useState('')
  const grant = useOperation({
    send: (body: NewCreditGrant, { idempotencyKey }) => api.credits.grant(body, { idempotencyKey }),
    once: 'grant',
    touches: [['credits']],
    done: (_, { amount: granted }) => `${formatNoun(granted, 'credit')} added`,
    onDone: onClose,
  })
  const body: NewCreditGrant = { amount: Number(amount), ...(note.trim() ? { note: note.trim() } : {}) }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void grant.run(body)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add credits"
      size="sm"
      actions={
        <>
          <span className="mr-auto">
            <CopyAs
              call={{
                method: 'POST',
                path: `/v1/workspaces/${id}/credits/grants`,
                body,
                sdk: `overture.credits.grant(${JSON.stringify(body)})`,
              }}
            />
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={FORM} phase={grant.phase} disabled={!(Number(amount) >= 1)}>
            Add
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={submit} className="flex flex-col gap-4">
        <ErrorNote error={grant.error} />
        <Field label="How many">
          <Input type="number" min={1} step={1} value={amount} onChange={event => setAmount(event.target.value)} autoFocus />
        </Field>
        <Field label="Why" optional help="Shown in the ledger. No personal data.">
          <Input value={note} onChange={event => setNote(event.target.value)} placeholder="Invoice 7" />
        </Field>
      </form>
    </Dialog>
  )
}
