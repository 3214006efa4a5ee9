import { Sheet } from '@/ui/dialog.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorState } from '@/ui/states.tsx'
import { nameOf, useLead } from './data.ts'
import { LeadForm } from './lead-form.tsx'

export interface LeadDrawerProps {
  campaignId: string
  /** Without one, a lead is added. */
  leadId?: string | undefined
  onClose: () => void
}

/** A lead beside the list or page that it belongs to. */
export function LeadDrawer({ campaignId, leadId, onClose }: LeadDrawerProps) {
  const { data: lead, error, refetch } = useLead(campaignId, leadId)
  const form = { campaignId, onClose }
  if (leadId === undefined)
    return (
      <LeadForm lead={null} {...form}>
        {(fields, actions) => (
          <Sheet
            open
            isInAddress
            onClose={onClose}
            title="Add a lead"
            description="It gets the first step when it is its turn."
            actions={actions}
          >
            {fields}
          </Sheet>
        )}
      </LeadForm>
    )
  if (!lead)
    return (
      <Sheet open isInAddress onClose={onClose} title="Lead">
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={8} />}
      </Sheet>
    )
  return (
    <LeadForm key={lead.id} lead={lead} {...form}>
      {(fields, actions) => (
        <Sheet open isInAddress onClose={onClose} title={nameOf(lead)} description={lead.email} actions={actions}>
          {fields}
        </Sheet>
      )}
    </LeadForm>
  )
}
