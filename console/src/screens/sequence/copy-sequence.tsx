import type { Campaign } from '@overture/sdk'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { useCampaigns } from '@/screens/campaigns/data.ts'
import { Button } from '@/ui/button.tsx'
import { Combobox } from '@/ui/combobox.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { Field } from '@/ui/field.tsx'
import { ErrorNote } from '@/ui/states.tsx'

/** Takes the sequence of another campaign in the place of this one's. */
export function CopySequence({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { api } = useWorkspace()
  const campaigns = useCampaigns({})
  const [source, setSource] = useState<string | null>(null)
  const copy = useOperation({
    send: (sourceCampaignId: string, options) => api.sequences.copy(campaign.id, { sourceCampaignId }, options),
    touches: [['campaign', campaign.id], ['campaigns'], ['readiness', campaign.id]],
    done: 'The sequence is copied',
    onDone: onClose,
  })
  const options = campaigns.rows.filter(({ id }) => id !== campaign.id).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Dialog
      open
      size="sm"
      onClose={onClose}
      title="Copy a sequence"
      description="It takes the place of the one that is saved here. Leads that have begun stay on what they began with."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" phase={copy.phase} disabled={!source} onClick={() => void copy.run(source!)}>
            Copy
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <ErrorNote error={copy.error ?? campaigns.error} />
        <Field label="From the campaign">
          <Combobox
            options={options}
            value={source}
            onChange={setSource}
            placeholder="Type a part of its name"
            empty="No other campaign is called so."
          />
        </Field>
      </div>
    </Dialog>
  )
}
