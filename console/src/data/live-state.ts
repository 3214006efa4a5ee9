import type { Event } from '@overture/sdk'
import { makeStore } from '@/ui/store.ts'

/** `refused`: the token may not read events, so there is no stream. */
export type LiveState = 'connecting' | 'live' | 'offline' | 'refused'

const state = makeStore<LiveState>('connecting')
const followers = new Set<(event: Event) => void>()

export const noteStream = state.set
export const useLiveState = state.use
export const isLive = (): boolean => state.get() === 'live'

export function announce(event: Event): void {
  for (const tell of followers) tell(event)
}

/** Calls back for every new event of the workspace. Returns a function that stops it. */
export function onEvent(follow: (event: Event) => void): () => void {
  followers.add(follow)
  return () => followers.delete(follow)
}
