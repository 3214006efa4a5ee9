import type { Event } from '@overture/sdk'
import { makeStore } from '@/ui/store.ts'

/** `refused`: the token may not read events, so there is no stream. */
export type LiveState = 'connecting' | 'live' | 'offline' | 'refused'

const state = makeStore<LiveState>('connecting')
const followers = new Set<(event: Event) => void>()

const reopenings = new Set<() => void>()
let wasOpen = false

export const noteStream = state.set

/** The service ends a stream when the role of its person changes, too. */
export function noteOpened(): void {
  state.set('live')
  if (wasOpen) for (const tell of reopenings) tell()
  wasOpen = true
}

/** Calls back each time that the stream was opened again; returns how to stop it. */
export function onReopened(tell: () => void): () => void {
  reopenings.add(tell)
  return () => reopenings.delete(tell)
}

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
