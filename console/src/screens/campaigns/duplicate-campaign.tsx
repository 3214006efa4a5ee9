import type { Campaign } from '@overture/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Field, Input } from '@/ui/field.tsx'
import { FormDialog } from '@/ui/form-dialog.tsx'

export function DuplicateCampaign({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { api } = useWorkspace()
  const navigate = useNavigate()
  const [name, setName] = useState(`${campaign.name} (copy)`)
  const duplicate = useOperation({
    send: (body: { name: string }, options) => api.campaigns.duplicate(campaign.id, body, options),
    once: `duplicate ${campaign.id}`,
    touches: [['campaigns']],
    done: 'The copy is a draft',
    onDone: ({ campaign: copy }) => {
      onClose()
      void navigate({ to: '/campaigns/$campaignId', params: { campaignId: copy.id } })
    },
  })
  const nameIssue = issueFor(duplicate.error, 'name')
  return (
    <FormDialog
      onClose={onClose}
      size="sm"
      title="Duplicate the campaign"
      description="Its sequence, schedule and settings; without leads and results."
      verb="Duplicate"
      operation={duplicate}
      isComplete={name.trim() !== ''}
      onSubmit={() => void duplicate.run({ name })}
      issue={nameIssue}
    >
      <Field label="Name" error={nameIssue}>
        <Input value={name} onChange={event => setName(event.target.value)} autoFocus />
      </Field>
    </FormDialog>
  )
}
