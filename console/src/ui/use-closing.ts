import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { ClosingProps } from './dialog.tsx'

/** While something would be lost, the browser asks before it loads the page again or goes to another address. */
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

/** What is open above the page, the topmost last. */
const layers: { isInAddress: boolean }[] = []

/** By the buttons of the browser. What the console itself opens, it opens knowingly. */
const isTravel = (action: string): boolean => action !== 'PUSH' && action !== 'REPLACE'

/** While something is open above the page, the way back or forward closes that, and does not leave the page. What is part of the address goes with it. */
export const closesLayer = (action: string): boolean => isTravel(action) && layers.some(layer => !layer.isInAddress)

const isText = (target: EventTarget): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !['checkbox', 'radio', 'search'].includes(target.type))

/**
 * How a dialog is left. Its own buttons close it. The Escape key, a click outside and the back button of the browser close it
 * as well, but ask first when something was typed in it that would be lost. So does the browser when the page itself is left.
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
        // A dialog that is part of the address goes with it, wherever it was opened from.
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
