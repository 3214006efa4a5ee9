import type { Campaign } from '@overture/sdk'
import { type ComponentProps, useState } from 'react'
import { Combobox } from '@/ui/combobox.tsx'
import { FormDialog } from '@/ui/dialog.tsx'
import { Field } from '@/ui/field.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { useCampaigns } from './data.ts'

type OtherCampaignDialogProps = Omit<ComponentProps<typeof FormDialog>, 'isComplete' | 'onSubmit' | 'children'> & {
  campaign: Campaign
  label: string
  onPick: (otherId: string) => void
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
