import { useSyncExternalStore } from 'react'
import { campaignNow, useClockOffset } from '@/data/clock.ts'
import { formatExact, formatRelative } from './format.ts'
import { makeStore, readRemembered, remember } from './store.ts'

const MINUTE_MS = 60_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** All times of a page share one clock, which ticks once a minute and only while the page is visible. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const tell of listeners) tell()
  }, MINUTE_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const EXACT_KEY = 'overture.exact-times'

const isExact = makeStore(readRemembered(EXACT_KEY) !== null)

/** For those who have no pointer to rest on a time, and those who compare times: all of them are written out. */
export function chooseExactTimes(chosen: boolean): void {
  isExact.set(chosen)
  remember(EXACT_KEY, chosen ? '1' : null)
}

export const useExactTimes = isExact.use

interface TimeProps {
  at: string | null | undefined
  /** Of tokens, operations and deliveries, which go by real time also while the test clock is ahead. */
  isReal?: boolean
  className?: string
}

/** Formatting the exact time is slow, so a list formats it only when the user points at a row. */
const tellExactly = ({ currentTarget }: { currentTarget: HTMLTimeElement }): void => {
  currentTarget.title = formatExact(new Date(currentTarget.dateTime))
}

/** How long ago, with the exact time under the pointer; or the exact time itself, by choice. */
export function Time({ at, isReal = false, className }: TimeProps) {
  useClockOffset()
  useSyncExternalStore(subscribe, () => Math.floor(Date.now() / MINUTE_MS))
  const exactly = useExactTimes()
  if (!at) return <span className="text-faint">–</span>
  const date = new Date(at)
  return (
    <time dateTime={at} onPointerEnter={tellExactly} className={className}>
      {exactly ? formatExact(date) : formatRelative(date, isReal ? new Date() : campaignNow())}
    </time>
  )
}
