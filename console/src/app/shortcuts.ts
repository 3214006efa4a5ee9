import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isTyping } from '@/ui/use-keys.ts'
import { SECTIONS } from './navigation.ts'

const GO_MS = 1200

/** Cmd-K or Ctrl-K opens the palette; g and a letter go to a section. Nothing is caught while somebody types. */
export function useShortcuts(togglePalette: () => void): void {
  const navigate = useNavigate()
  useEffect(() => {
    let goUntil = 0
    const press = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return togglePalette()
      }
      const target = event.target as HTMLElement
      if (isTyping(target) || event.metaKey || event.ctrlKey || event.altKey || target.closest('[role=dialog],[role=menu]')) return
      if (event.key === 'g') goUntil = Date.now() + GO_MS
      else if (Date.now() < goUntil) {
        goUntil = 0
        const section = SECTIONS.find(({ letter }) => letter === event.key)
        if (section) void navigate({ to: section.to })
      }
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [navigate, togglePalette])
}

export const openPalette = (): void => void dispatchEvent(new CustomEvent('overture:palette'))
