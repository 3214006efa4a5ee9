import type { Lead } from '@overture/sdk'
import { Card } from '@/ui/card.tsx'
import { formatCount, formatExact, formatNoun } from '@/ui/format.ts'
import { KeyValue } from '@/ui/key-value.tsx'
import { NumberLink } from '@/ui/number-link.tsx'
import { Time } from '@/ui/time.tsx'

/** What is known of a lead, and what templates can use. */
export function LeadFacts({ lead }: { lead: Lead }) {
  const warned = lead.warnings.find(({ field }) => field === 'timezone')
  return (
    <Card title="Details">
      <KeyValue
        items={[
          ['E-mail', lead.email],
          ['First name', lead.firstName],
          ['Last name', lead.lastName],
          ['Company', lead.company],
          ['Job title', lead.jobTitle],
          [
            'Time zone',
            lead.timezone ? (
              <>
                {lead.timezone}
                {warned ? <span className="block text-warn text-xs">{warned.message}</span> : null}
              </>
            ) : null,
          ],
          ...Object.entries(lead.variables).map(([name, value]) => [name, value] as const),
          [
            'Opened',
            lead.emailOpenCount > 0 ? (
              <NumberLink
                key="opened"
                link={{
                  to: '/campaigns/$campaignId/activity',
                  params: { campaignId: lead.campaignId },
                  search: { lead: lead.id, type: 'email.opened' } as never,
                }}
              >
                {formatNoun(lead.emailOpenCount, 'time')}
              </NumberLink>
            ) : null,
          ],
          ['Deal', lead.opportunityValue === null ? null : formatCount(lead.opportunityValue)],
          ['Meeting', lead.meetingAt ? formatExact(new Date(lead.meetingAt)) : null],
          ['List', lead.leadListName],
          ['Added', <Time key="added" at={lead.createdAt} />],
        ]}
      />
    </Card>
  )
}
