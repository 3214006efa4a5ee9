import type { Campaign, LeadBulkResult } from '@overture/sdk'
import { useState } from 'react'
import type { RunningOperation } from '@/data/use-operation.ts'
import { useCampaigns } from '@/screens/campaigns/data.ts'
import { Button } from '@/ui/button.tsx'
import { Combobox } from '@/ui/combobox.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { Field } from '@/ui/field.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import type { BulkChange } from './bulk-change.ts'

export function MoveLeads({
  campaign,
  count,
  change,
  onClose,
}: {
  campaign: Campaign
  count: string
  change: RunningOperation<BulkChange, LeadBulkResult>
  onClose: () => void
}) {
  const campaigns = useCampaigns({})
  const [target, setTarget] = useState<string | null>(null)
  const options = campaigns.rows.filter(({ id }) => id !== campaign.id).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Dialog
      open
      size="sm"
      title={`Move ${count}`}
      description="They start from the first step in the other campaign. Leads that have answered, are suppressed or are there already stay here."
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            phase={change.phase}
            disabled={!target}
            onClick={() => void change.run({ action: 'move', targetCampaignId: target! })}
          >
            Move
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <ErrorNote error={change.error ?? campaigns.error} />
        <Field label="To the campaign">
          <Combobox
            options={options}
            value={target}
            onChange={setTarget}
            placeholder="Type a part of its name"
            empty="No other campaign is called so."
          />
        </Field>
      </div>
    </Dialog>
  )
}
