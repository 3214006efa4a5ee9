import { useReadiness } from '@/screens/campaign/data.ts'
import { LeadLink } from '@/screens/campaign/lead-link.tsx'
import { useThisCampaign } from '@/screens/campaign/this-campaign.ts'
import { AlertIcon } from '@/ui/icons.tsx'

/** What would keep leads from getting this step as it is saved: how many, and who for example. */
export function StepWarnings({ campaignId, index }: { campaignId: string; index: number }) {
  const { data } = useReadiness(useThisCampaign())
  const mine = new RegExp(`^Step ${index + 1}\\b:?\\s*`)
  const warnings = data?.warnings.filter(({ message }) => mine.test(message)) ?? []
  if (warnings.length === 0) return null
  return (
    <ul aria-label="What is missing" className="flex flex-col gap-2">
      {warnings.map(({ rule, message, count, examples }) => (
        <li key={rule + message} className="flex items-start gap-2 rounded-lg bg-warn-wash px-3 py-2 text-warn">
          <AlertIcon className="mt-0.5 shrink-0" />
          <div className="min-w-0">
            <p>{message.replace(mine, '').replace(/^./, letter => letter.toUpperCase())}</p>
            {examples.length > 0 ? (
              <p className="mt-0.5 flex flex-wrap gap-x-2 text-xs">
                {examples.map(({ leadId, email }) => (
                  <LeadLink key={leadId} campaignId={campaignId} leadId={leadId}>
                    {email}
                  </LeadLink>
                ))}
                {count > examples.length ? <span>and {count - examples.length} more</span> : null}
              </p>
            ) : null}
          </div>
        </li>
      ))}
    </ul>
  )
}
