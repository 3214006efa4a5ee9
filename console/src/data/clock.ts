import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useWorkspace } from './session.ts'

let offsetMs = 0
const listeners = new Set<() => void>()

/** The time that campaigns live by: ahead of real time after the test clock of a local installation was moved. */
export const campaignNow = (): Date => new Date(Date.now() + offsetMs)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useClockOffset = (): number => useSyncExternalStore(subscribe, () => offsetMs)

/** The test clock: how far it is ahead, and whether it can be moved. The end of the operation that moves it makes it out of date. */
export function useTestClock() {
  const { api, may } = useWorkspace()
  const query = useQuery({
    queryKey: ['clock'],
    queryFn: ({ signal }) => api.sandbox.getClock({ signal }),
    enabled: may('campaigns:read'),
  })
  const ahead = query.data?.offsetMs
  useEffect(() => {
    if (ahead === undefined || ahead === offsetMs) return
    offsetMs = ahead
    for (const tell of listeners) tell()
  }, [ahead])
  return query
}
