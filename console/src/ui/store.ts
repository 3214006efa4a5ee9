import { useSyncExternalStore } from 'react'

/** A value outside of React: `use` is for components that follow it. */
interface Store<T> {
  get: () => T
  set: (next: T) => void
  use: () => T
}

export function makeStore<T>(first: T): Store<T> {
  let value = first
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const get = () => value
  return {
    get,
    set: next => {
      value = next
      for (const tell of listeners) tell()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}

/** What this browser remembers of a choice. Where nothing may be stored, the choice holds until the page is left. */
export function readRemembered(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Null forgets it. */
export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // See above.
  }
}
