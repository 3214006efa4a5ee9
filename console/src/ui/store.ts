import { useSyncExternalStore } from 'react'

/** A value outside of React. Components follow it with `use`. */
export function makeStore<T>(first: T) {
  let value = first
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const get = (): T => value
  return {
    get,
    set: (next: T): void => {
      value = next
      for (const tell of listeners) tell()
    },
    use: (): T => useSyncExternalStore(subscribe, get),
  }
}

/** A choice that this browser remembers. If storage is not allowed, the choice lasts until the user leaves the page. */
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
