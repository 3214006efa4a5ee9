import type { Campaign, LeadBulkResult } from '@overture/sdk'
import type { RunningOperation } from '@/data/use-operation.ts'
import { OtherCampaignDialog } from '@/screens/campaigns/other-campaign-dialog.tsx'
import type { BulkChange } from './bulk-change.ts'

interface MoveLeadsProps {
  campaign: Campaign
  count: string
  change: RunningOperation<BulkChange, LeadBulkResult>
  onClose: () => void
}

export const MoveLeads = ({ campaign, count, change, onClose }: MoveLeadsProps) => (
  <OtherCampaignDialog
    campaign={campaign}
    title={`Move ${count}`}
    description="They start from the first step in the other campaign. Leads that have answered, are suppressed or are there already stay here."
    label="To the campaign"
    verb="Move"
    operation={change}
    onPick={targetCampaignId => void change.run({ action: 'move', targetCampaignId })}
    onClose={onClose}
  />
)
