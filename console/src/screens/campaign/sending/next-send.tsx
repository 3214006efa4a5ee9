import type { SendingStatus } from '@overture/sdk'
import { formatNoun } from '@/ui/format.ts'
import { Time } from '@/ui/time.tsx'
import { useSchedule } from '../data.ts'
import { wordMoment } from '../moments.ts'

/** When the next message leaves, in a sentence. */
export function NextSend({ status }: { status: SendingStatus }) {
  const { data: schedule } = useSchedule(status.campaignId)
  const { readyCount, inFlightCount, nextAttemptAt } = status
  if (status.status === 'draft') return <>Nothing is sent before it is activated</>
  if (status.status === 'paused') return <>Paused: nothing leaves</>
  if (status.status === 'archived') return <>Archived: nothing leaves</>
  if (status.status === 'completed') return <>Completed: nothing more leaves</>
  if (status.status === 'attention_needed') return <>It stands still until somebody looks at it</>
  if (inFlightCount > 0) return <>{formatNoun(inFlightCount, 'message')} on the way right now</>
  if (readyCount > 0) return <>{formatNoun(readyCount, 'message')} may leave right now</>
  if (!nextAttemptAt) return <>Nothing will leave by itself</>
  return (
    <>
      The next message leaves <Time at={nextAttemptAt} />: {wordMoment(nextAttemptAt, schedule?.timezone)}
    </>
  )
}
