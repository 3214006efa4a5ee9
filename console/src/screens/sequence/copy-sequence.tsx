import type { Campaign } from '@overture/sdk'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { OtherCampaignDialog } from '@/screens/campaigns/other-campaign-dialog.tsx'

export function CopySequence({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { api } = useWorkspace()
  const copy = useOperation({
    send: (sourceCampaignId: string, options) => api.sequences.copy(campaign.id, { sourceCampaignId }, options),
    touches: [['campaign', campaign.id], ['campaigns'], ['readiness', campaign.id]],
    done: 'Sequence copied',
    onDone: onClose,
  })
  return (
    <OtherCampaignDialog
      campaign={campaign}
      title="Copy sequence"
      description="Replaces the saved sequence. Leads in progress keep the old version."
      label="Copy from"
      verb="Copy sequence"
      operation={copy}
      onPick={sourceId => void copy.run(sourceId)}
      onClose={onClose}
    />
  )
}
