import type { NewCreditGrant } from '@overture/sdk'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Field, Input } from '@/ui/field.tsx'
import { FormDialog } from '@/ui/form-dialog.tsx'
import { formatNoun } from '@/ui/format.ts'

export function GrantDialog({ onClose }: { onClose: () => void }) {
  const { api } = useWorkspace()
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
  return (
    <FormDialog
      onClose={onClose}
      title="Add credits"
      size="sm"
      verb="Add"
      operation={grant}
      isComplete={Number(amount) >= 1}
      onSubmit={() => void grant.run(body)}
      call={overture => overture.credits.grant(body)}
    >
      <Field label="How many">
        <Input type="number" min={1} step={1} value={amount} onChange={event => setAmount(event.target.value)} autoFocus />
      </Field>
      <Field label="Why" optional help="Shown in the ledger. No personal data.">
        <Input value={note} onChange={event => setNote(event.target.value)} placeholder="Invoice 7" />
      </Field>
    </FormDialog>
  )
}
