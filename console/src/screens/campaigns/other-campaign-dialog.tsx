import type { Campaign } from '@overture/sdk'
import { useState } from 'react'
import type { OperationPhase } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { Combobox } from '@/ui/combobox.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { Field } from '@/ui/field.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { useCampaigns } from './data.ts'

interface OtherCampaignDialogProps {
  campaign: Campaign
  title: string
  description: string
  label: string
  verb: string
  operation: { phase: OperationPhase; error: Error | null }
  onPick: (otherId: string) => void
  onClose: () => void
}

/** Asks which other campaign is meant. */
export function OtherCampaignDialog({ campaign, label, verb, operation, onPick, ...dialog }: OtherCampaignDialogProps) {
  const campaigns = useCampaigns({})
  const [picked, setPicked] = useState<string | null>(null)
  const options = campaigns.rows.filter(({ id }) => id !== campaign.id).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Dialog
      open
      size="sm"
      {...dialog}
      actions={
        <>
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button variant="primary" phase={operation.phase} disabled={!picked} onClick={() => onPick(picked!)}>
            {verb}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <ErrorNote error={operation.error ?? campaigns.error} />
        <Field label={label}>
          <Combobox
            options={options}
            value={picked}
            onChange={setPicked}
            placeholder="Search campaigns"
            empty="No other campaign matches."
          />
        </Field>
      </div>
    </Dialog>
  )
}
