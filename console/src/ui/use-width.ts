import { useSyncExternalStore } from 'react'

function followMedia(query: string): () => boolean {
  const media = matchMedia(query)
  const subscribe = (listener: () => void) => {
    media.addEventListener('change', listener)
    return () => media.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => media.matches)
}

/** True on a phone, where tables become cards. */
export const useNarrow = followMedia('(max-width: 639px)')

/** True if two panes fit next to each other. */
export const useWide = followMedia('(min-width: 900px)')
