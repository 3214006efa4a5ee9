import { useEffect } from 'react'
import { makeStore } from '@/ui/store.ts'
import { useAnswer } from './use-answer.ts'

const offsetMs = makeStore(0)

/** The time of campaigns: ahead of real time after the test clock of a local installation was advanced. */
export const campaignNow = (): Date => new Date(Date.now() + offsetMs.get())

export const useClockOffset = offsetMs.use

/** The test clock: how far it is ahead, and whether it can be advanced. It is loaded again after the operation that advances it. */
export function useTestClock() {
  const query = useAnswer(['clock'], (api, options) => api.sandbox.getClock(options), { scope: 'campaigns:read' })
  const ahead = query.data?.offsetMs
  useEffect(() => {
    if (ahead !== undefined) offsetMs.set(ahead)
  }, [ahead])
  return query
}
