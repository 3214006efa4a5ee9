import { useSyncExternalStore } from 'react'

const phone = matchMedia('(max-width: 639px)')

function subscribe(listener: () => void): () => void {
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}

/** True on a phone, where tables become cards. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => phone.matches)
