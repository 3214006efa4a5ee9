import { campaignNow, useClockOffset } from '@/data/clock.ts'
import { formatExact, formatRelative } from './format.ts'
import { makeStore, readRemembered, remember } from './store.ts'

const MINUTE_MS = 60_000
/** All times of a page share one clock. */
const minute = makeStore(0)
setInterval(() => minute.set(minute.get() + 1), MINUTE_MS)

const EXACT_KEY = 'overture.exact-times'

const isExact = makeStore(readRemembered(EXACT_KEY) !== null)

/** Shows all times in full, for users without a pointer to hover with, and for comparing times. */
export function chooseExactTimes(chosen: boolean): void {
  isExact.set(chosen)
  remember(EXACT_KEY, chosen ? '1' : null)
}

export const useExactTimes = isExact.use

interface TimeProps {
  at: string | null | undefined
  /** For tokens, operations and deliveries, which use real time even while the test clock is ahead. */
  isReal?: boolean
  className?: string
}

/** Formatting the exact time is slow, so it is formatted when the user hovers over it. */
const setTitle = ({ currentTarget }: { currentTarget: HTMLTimeElement }): void => {
  currentTarget.title = formatExact(new Date(currentTarget.dateTime))
}

/** The relative time with the exact time as its tooltip, or the exact time if the user has chosen that. */
export function Time({ at, isReal = false, className }: TimeProps) {
  useClockOffset()
  minute.use()
  const exactly = useExactTimes()
  if (!at) return <span className="text-faint">–</span>
  const date = new Date(at)
  return (
    <time dateTime={at} onPointerEnter={setTitle} className={className}>
      {exactly ? formatExact(date) : formatRelative(date, isReal ? new Date() : campaignNow())}
    </time>
  )
}
