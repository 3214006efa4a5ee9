import type { Campaign, Lead } from '@overture/sdk'
import { campaignNow } from '@/data/clock.ts'
import { Time } from '@/ui/time.tsx'
import { holdWords } from './hold-words.ts'

/** What comes next for a lead and when, or why nothing does. */
export function NextCell({ lead, campaignStatus }: { lead: Lead; campaignStatus: Campaign['status'] }) {
  const { next, hold } = lead
  if (!next) {
    if (hold) return <span className="text-warn text-xs">{sentence(holdWords(hold.reason))}</span>
    return <span className="text-faint">{lead.status === 'contacted' ? 'Waits for an answer' : '–'}</span>
  }
  const runs = campaignStatus === 'active'
  const isDue = Date.parse(next.dueAt) <= campaignNow().getTime()
  return (
    <>
      <span className="block whitespace-nowrap">
        Step {next.step + 1} <span className="text-faint">·</span>{' '}
        {runs ? (
          hold?.until ? (
            <Time at={hold.until} />
          ) : isDue ? (
            'as soon as possible'
          ) : (
            <Time at={next.dueAt} />
          )
        ) : (
          whenIdle(campaignStatus)
        )}
      </span>
      {runs && hold ? <span className="block text-faint text-xs">{holdWords(hold.reason)}</span> : null}
    </>
  )
}

const whenIdle = (status: Campaign['status']): string =>
  status === 'draft' ? 'once activated' : `campaign is ${status.replaceAll('_', ' ')}`

export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
