import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { ClosingProps } from './dialog.tsx'

/** While something would be lost, the browser asks before it reloads the page or leaves it. */
export function useLeaveGuard(loses: () => boolean): void {
  const latest = useRef(loses)
  latest.current = loses
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (latest.current()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
}

/** The layers that are open above the page, the topmost last. */
const layers: { isInAddress: boolean }[] = []

/** Whether the user has pressed a button of the browser. Navigation by the console itself is never blocked. */
const isTravel = (action: string): boolean => action !== 'PUSH' && action !== 'REPLACE'

/** While a layer is open above the page, back and forward close it instead of leaving the page. A layer that is part of the URL changes with it. */
export const closesLayer = (action: string): boolean => isTravel(action) && layers.some(layer => !layer.isInAddress)

const isText = (target: EventTarget): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !['checkbox', 'radio', 'search'].includes(target.type))

/**
 * The ways to close a dialog. Its own buttons close it. The Escape key, a click outside and the back button of the browser also do, but ask
 * first if the user would lose what they have typed. The browser asks, too, when the user leaves the page.
 */
export function useClosing({ open, onClose, isInAddress = false, loses }: ClosingProps) {
  const router = useRouter({ warn: false })
  const [isAsking, setAsking] = useState(false)
  const wasTyped = useRef(false)
  const latest = useRef({ onClose, loses })
  latest.current = { onClose, loses }
  useLeaveGuard(() => open && (wasTyped.current || latest.current.loses !== undefined))
  const leave = useRef(() => {
    if (wasTyped.current || latest.current.loses) setAsking(true)
    else latest.current.onClose()
  }).current

  useEffect(() => {
    if (!open) return
    wasTyped.current = false
    setAsking(false)
    const layer = { isInAddress }
    layers.push(layer)
    const unblock = router?.history.block({
      blockerFn: ({ action }) => {
        if (!isTravel(action) || layers.at(-1) !== layer) return false
        // A dialog that is part of the URL changes with it.
        if (isInAddress && !wasTyped.current && !latest.current.loses) return false
        leave()
        return true
      },
      enableBeforeUnload: false,
    })
    return () => {
      unblock?.()
      layers.splice(layers.indexOf(layer), 1)
    }
  }, [open, router, isInAddress, leave])

  return {
    isAsking,
    stay: () => setAsking(false),
    onInput: ({ target }: FormEvent) => {
      if (isText(target)) wasTyped.current = true
    },
    onOpenChange: (isOpen: boolean, { reason }: { reason: string }) => {
      if (isOpen) return
      if (reason === 'close-press') onClose()
      else leave()
    },
  }
}
