import type { Campaign } from '@overture/sdk'
import { useState } from 'react'
import type { OperationPhase } from '@/data/use-operation.ts'
import { Combobox } from '@/ui/combobox.tsx'
import { FormDialog } from '@/ui/dialog.tsx'
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

export function OtherCampaignDialog({ campaign, label, onPick, ...dialog }: OtherCampaignDialogProps) {
  const campaigns = useCampaigns({})
  const [picked, setPicked] = useState<string | null>(null)
  const options = campaigns.rows.filter(({ id }) => id !== campaign.id).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <FormDialog size="sm" isComplete={picked !== null} onSubmit={() => onPick(picked!)} {...dialog}>
      <ErrorNote error={campaigns.error} />
      <Field label={label}>
        <Combobox options={options} value={picked} onChange={setPicked} placeholder="Search campaigns" empty="No other campaign matches." />
      </Field>
    </FormDialog>
  )
}
