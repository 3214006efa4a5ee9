import { type RefObject, useEffect, useRef } from 'react'

export const isTyping = (target: HTMLElement): boolean => /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable

/** Single keys of a screen. Nothing is caught while somebody types, chooses from a list, or answers a question. */
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

/** The slash leads to the search field. */
export function useSlash(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target as HTMLElement)) return
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [field])
}
