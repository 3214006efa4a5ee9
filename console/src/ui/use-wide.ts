import { useSyncExternalStore } from 'react'

const wide = matchMedia('(min-width: 900px)')

function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

/** True where two panes stand beside each other. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches)
