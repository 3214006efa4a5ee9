import { useSyncExternalStore } from 'react'

export type ThemeChoice = 'system' | 'light' | 'dark'

const KEY = 'overture.theme'
const system = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

function readChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

let choice = readChoice()
const isDarkNow = (): boolean => (choice === 'system' ? system.matches : choice === 'dark')

function apply(): void {
  document.documentElement.classList.toggle('dark', isDarkNow())
  for (const tell of listeners) tell()
}

system.addEventListener('change', apply)

export function chooseTheme(chosen: ThemeChoice): void {
  choice = chosen
  try {
    if (chosen === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, chosen)
  } catch {
    // Where nothing may be stored the choice holds until the page is left.
  }
  apply()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useTheme(): { choice: ThemeChoice; isDark: boolean } {
  const current = useSyncExternalStore(subscribe, () => choice)
  const isDark = useSyncExternalStore(subscribe, isDarkNow)
  return { choice: current, isDark }
}
