import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { afterPaint } from './timing.ts'

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-grid h-4.5 min-w-4.5 place-items-center rounded border border-line bg-panel px-1 font-sans text-2xs text-faint">
      {children}
    </kbd>
  )
}

export const isTyping = (target: HTMLElement): boolean => /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable

/** Keyboard shortcuts of a screen. They are ignored in text fields, lists, menus and dialogs. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented || isTyping(target)) return
      if (target.closest('[role=dialog],[role=menu],[role=listbox]')) return
      const act = latest.current[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** The slash key focuses the search field. */
export const useSlash = (field: RefObject<HTMLInputElement | null>): void => useKeys({ '/': () => field.current?.focus() })

/** Base UI hides its focus guards from screen readers although the Tab key stops at them, which is a barrier. They are empty, so nothing is read. */
export function showFocusGuards(isOpen: boolean): void {
  const show = () => {
    for (const guard of document.querySelectorAll('[data-base-ui-focus-guard]')) guard.removeAttribute('aria-hidden')
  }
  if (isOpen) afterPaint(show)
}
