import type { Campaign } from '@overture/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { sessionQuery, useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Field, Input } from '@/ui/field.tsx'
import { FormDialog } from '@/ui/form-dialog.tsx'

export interface SendTestProps {
  campaign: Campaign
  step: number
  leadId: string | undefined
  variantId: string | undefined
  onClose: () => void
}

/** Sends the step to oneself, from the mailbox of the campaign. */
export function SendTest({ campaign, step, leadId, variantId, onClose }: SendTestProps) {
  const { api } = useWorkspace()
  const { data: identity } = useQuery(sessionQuery)
  const [to, setTo] = useState(identity?.user?.email ?? '')
  const send = useOperation({
    send: (address: string, options) =>
      api.sequences.sendTest(
        campaign.id,
        { to: address, step, ...(leadId ? { leadId } : {}), ...(variantId ? { variantId } : {}) },
        options,
      ),
    once: `test ${campaign.id} ${step} ${leadId} ${variantId}`,
    done: () => `The test has left for ${to}`,
    onDone: onClose,
  })
  const issue = issueFor(send.error, 'to')
  return (
    <FormDialog
      size="sm"
      onClose={onClose}
      title={`Send step ${step + 1} to yourself`}
      description="Now, from the mailbox of the campaign, with [Test] in front of the subject. Nothing is tracked or counted."
      verb="Send"
      operation={send}
      isComplete={to.includes('@')}
      onSubmit={() => void send.run(to.trim())}
      issue={issue}
    >
      <Field label="To" error={issue}>
        <Input type="email" value={to} onChange={event => setTo(event.target.value)} />
      </Field>
    </FormDialog>
  )
}
