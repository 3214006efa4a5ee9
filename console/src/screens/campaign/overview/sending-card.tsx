import type { Campaign } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { useSendingStatus } from '../data.ts'
import { NextSend } from '../sending/next-send.tsx'
import { ReasonCount } from '../sending/reason-count.tsx'
import { inOrder, withoutCount } from '../sending/reason-kinds.ts'

/** In a few lines what the tab "Sending" says at length. */
export function SendingCard({ campaign }: { campaign: Campaign }) {
  const { data, error } = useSendingStatus(campaign.id)
  return (
    <Card
      title="Sending"
      actions={
        <Link to="/campaigns/$campaignId/sending" params={{ campaignId: campaign.id }} className={buttonClass('secondary', 'sm')}>
          What would change it
        </Link>
      }
    >
      {data ? (
        <>
          <p className="font-medium text-base">
            <NextSend status={data} />
          </p>
          {data.attentionReason ? <p className="mt-1 text-bad">{data.attentionReason}</p> : null}
          {data.reasons.length > 0 ? (
            <ul className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-soft">
              {inOrder(data.reasons).map(reason => (
                <li key={reason.reason + reason.text} className="col-span-2 grid grid-cols-subgrid">
                  <ReasonCount campaignId={campaign.id} reason={reason.reason} count={reason.count} className="font-medium text-ink" />
                  {withoutCount(reason)}
                </li>
              ))}
            </ul>
          ) : (
            <p className="mt-1 text-soft">{data.summary}</p>
          )}
        </>
      ) : error ? (
        <ErrorNote error={error} />
      ) : (
        <SkeletonLines count={2} />
      )}
    </Card>
  )
}
