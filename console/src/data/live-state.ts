import type { Event } from '@overture/sdk'
import { useSyncExternalStore } from 'react'

/** `refused`: the token may not read events, so nothing is followed. */
export type LiveState = 'connecting' | 'live' | 'offline' | 'refused'

let state: LiveState = 'connecting'
const listeners = new Set<() => void>()
const followers = new Set<(event: Event) => void>()

export function noteStream(next: LiveState): void {
  if (state === next) return
  state = next
  for (const tell of listeners) tell()
}

export const isLive = (): boolean => state === 'live'

export function announce(event: Event): void {
  for (const tell of followers) tell(event)
}

/** Calls back for every event of the workspace from now on; returns how to stop it. */
export function onEvent(follow: (event: Event) => void): () => void {
  followers.add(follow)
  return () => followers.delete(follow)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLiveState = (): LiveState => useSyncExternalStore(subscribe, () => state)
