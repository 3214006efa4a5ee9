import { type KeyboardEvent, type MouseEvent, type RefObject, startTransition, useEffect, useRef, useState } from 'react'
import { afterPaint } from './after-paint.ts'

export type AskedBy = 'pointer' | 'key'

interface Asked {
  /** Not null from the first press on: what it opens is drawn from then on, and not before. */
  askedBy: AskedBy | null
  /** For the button that stands there until then, and while what it opens is being loaded. */
  asking: { onClick: (event: MouseEvent) => void; onKeyDown: (event: KeyboardEvent) => void }
}

/** For a button whose menu or list is made at the first press. The press itself shows at once. */
export function useAsked(): Asked {
  const [askedBy, setAskedBy] = useState<AskedBy | null>(null)
  const ask = (by: AskedBy) => afterPaint(() => startTransition(() => setAskedBy(by)))
  return {
    askedBy,
    asking: {
      // Enter and the space bar are clicks without a pointer.
      onClick: ({ detail }) => ask(detail === 0 ? 'key' : 'pointer'),
      onKeyDown: event => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        ask('key')
      },
    },
  }
}

/** Who has asked by a key finds the focus on the button, and is led into the list by the key that the list knows. */
export function useOpenByKey<Trigger extends HTMLElement>(askedBy: AskedBy | null): RefObject<Trigger | null> {
  const trigger = useRef<Trigger>(null)
  useEffect(() => {
    if (askedBy !== 'key' || !trigger.current) return
    // It may have taken a while to load. Who has gone on meanwhile is not called back.
    if (!document.activeElement?.contains(trigger.current)) return
    trigger.current.focus()
    trigger.current.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))
  }, [askedBy])
  return trigger
}
