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
