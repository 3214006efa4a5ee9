import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Between the tabs of one browser. It carries keys of queries, and nothing of what was written. */
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('overture.touched')

/** A write has made this out of date: here, and in the other tabs, which learn of it by no event when the write has none. */
export function touch(queries: QueryClient, keys: readonly QueryKey[]): void {
  for (const queryKey of keys) void queries.invalidateQueries({ queryKey })
  channel?.postMessage(keys)
}

/** Follows what the other tabs have written; returns how to stop it. */
export function followOtherTabs(queries: QueryClient): () => void {
  const hear = ({ data }: MessageEvent<readonly QueryKey[]>) => {
    for (const queryKey of data) void queries.invalidateQueries({ queryKey })
  }
  channel?.addEventListener('message', hear)
  return () => channel?.removeEventListener('message', hear)
}
