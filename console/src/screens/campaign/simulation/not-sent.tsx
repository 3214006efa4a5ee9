import type { Simulation } from '@overture/sdk'
import { Card } from '@/ui/card.tsx'
import { formatNoun } from '@/ui/format.ts'
import { CheckIcon } from '@/ui/icons.tsx'
import { ReasonCount } from '../sending/reason-count.tsx'

/** Who gets nothing, or not everything, and why. */
export function NotSent({ campaignId, notSent, truncated }: Pick<Simulation, 'campaignId' | 'notSent' | 'truncated'>) {
  return (
    <Card isFlush title="What is not sent, and why" description={truncated ? 'There is more to send than this looks ahead.' : null}>
      {notSent.length === 0 ? (
        <p className="flex items-center gap-2 px-4 py-3.5 text-soft">
          <CheckIcon className="text-good" /> Every message that is planned would leave.
        </p>
      ) : (
        <ul>
          {notSent.map(({ reason, count, messages, text }) => (
            <li key={reason} className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-4 border-line px-4 py-3 not-last:border-b">
              <ReasonCount campaignId={campaignId} reason={reason} count={count} className="font-semibold text-lg" />
              <div>
                <p>{text.charAt(0).toUpperCase() + text.slice(1)}</p>
                <p className="flex flex-wrap gap-x-3 text-faint text-xs">
                  <code className="font-mono">{reason}</code>
                  <span>
                    {formatNoun(count, 'lead')}, {formatNoun(messages, 'message')}
                  </span>
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
