import type { Campaign } from '@overture/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { ErrorNote } from '@/ui/states.tsx'

export function DuplicateCampaign({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { api } = useWorkspace()
  const navigate = useNavigate()
  const [name, setName] = useState(`${campaign.name} (copy)`)
  const duplicate = useOperation({
    send: (body: { name: string }, options) => api.campaigns.duplicate(campaign.id, body, options),
    once: `duplicate ${campaign.id}`,
    touches: [['campaigns']],
    done: 'The copy is a draft',
    onDone: result => {
      onClose()
      const copy = result as { campaignId?: string; id?: string } | null
      const copyId = copy?.campaignId ?? copy?.id
      if (copyId) void navigate({ to: '/campaigns/$campaignId', params: { campaignId: copyId } })
    },
  })
  const nameIssue = issueFor(duplicate.error, 'name')
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title="Duplicate the campaign"
      description="Its sequence, schedule and settings; without leads and results."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" phase={duplicate.phase} disabled={!name.trim()} type="submit" form="duplicate-campaign">
            Duplicate
          </Button>
        </>
      }
    >
      <form
        id="duplicate-campaign"
        className="flex flex-col gap-4"
        onSubmit={event => {
          event.preventDefault()
          void duplicate.run({ name })
        }}
      >
        {nameIssue ? null : <ErrorNote error={duplicate.error} />}
        <Field label="Name" error={nameIssue}>
          <Input value={name} onChange={event => setName(event.target.value)} autoFocus />
        </Field>
      </form>
    </Dialog>
  )
}
