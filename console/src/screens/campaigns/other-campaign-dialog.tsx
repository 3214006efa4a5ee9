import type { Campaign } from '@overture/sdk'
import { useState } from 'react'
import type { OperationPhase } from '@/data/use-operation.ts'
import { Combobox } from '@/ui/combobox.tsx'
import { Field } from '@/ui/field.tsx'
import { FormDialog } from '@/ui/form-dialog.tsx'
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
export function OtherCampaignDialog({ campaign, label, operation, onPick, ...dialog }: OtherCampaignDialogProps) {
  const campaigns = useCampaigns({})
  const [picked, setPicked] = useState<string | null>(null)
  const options = campaigns.rows.filter(({ id }) => id !== campaign.id).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <FormDialog
      size="sm"
      {...dialog}
      operation={{ phase: operation.phase, error: operation.error ?? campaigns.error }}
      isComplete={picked !== null}
      onSubmit={() => onPick(picked!)}
    >
      <Field label={label}>
        <Combobox
          options={options}
          value={picked}
          onChange={setPicked}
          placeholder="Type a part of its name"
          empty="No other campaign is called so."
        />
      </Field>
    </FormDialog>
  )
}
