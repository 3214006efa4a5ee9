import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Field, Input } from '@/ui/field.tsx'
import { FormDialog } from '@/ui/form-dialog.tsx'
import { Switch } from '@/ui/toggles.tsx'

/** Asks for no more than a draft needs; everything else is set where it can be seen in its place. */
export function CreateCampaign({ onClose }: { onClose: () => void }) {
  const { api } = useWorkspace()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [trackOpens, setTrackOpens] = useState(false)
  const [trackClicks, setTrackClicks] = useState(false)
  const create = useOperation({
    send: (body: { name: string; trackOpens: boolean; trackClicks: boolean }, { idempotencyKey }) =>
      api.campaigns.create(body, { idempotencyKey }),
    once: 'create campaign',
    touches: [['campaigns']],
    onDone: campaign => {
      void navigate({ to: '/campaigns/$campaignId', params: { campaignId: campaign.id } })
    },
  })
  const nameIssue = issueFor(create.error, 'name')
  return (
    <FormDialog
      isInAddress
      onClose={onClose}
      title="New campaign"
      description="It begins as a draft. Nothing is sent before you activate it."
      verb="Create campaign"
      operation={create}
      isComplete={name.trim() !== ''}
      onSubmit={() => void create.run({ name, trackOpens, trackClicks })}
      issue={nameIssue}
      className="flex flex-col gap-5"
    >
      <Field label="Name" error={nameIssue} help="Only you and your team see it.">
        <Input value={name} onChange={event => setName(event.target.value)} placeholder="Founders in Berlin, spring" autoFocus />
      </Field>
      <div className="flex flex-col gap-3">
        <Switch
          label="Track opens"
          help="Adds an invisible image. Spam filters do not like it."
          checked={trackOpens}
          onChange={setTrackOpens}
        />
        <Switch label="Track clicks" help="Leads links through this service." checked={trackClicks} onChange={setTrackClicks} />
      </div>
    </FormDialog>
  )
}
