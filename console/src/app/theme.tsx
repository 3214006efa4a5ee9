import { Button } from '@/ui/button.tsx'
import { MoonIcon, SunIcon } from '@/ui/icons.tsx'
import { makeStore, readRemembered, remember } from '@/ui/store.ts'

export type ThemeChoice = 'system' | 'light' | 'dark'

const KEY = 'overture.theme'
const system = matchMedia('(prefers-color-scheme: dark)')
const stored = readRemembered(KEY)
const choice = makeStore<ThemeChoice>(stored === 'light' || stored === 'dark' ? stored : 'system')
const isDarkNow = (): boolean => (choice.get() === 'system' ? system.matches : choice.get() === 'dark')
const isDark = makeStore(isDarkNow())

function apply(): void {
  isDark.set(isDarkNow())
  document.documentElement.classList.toggle('dark', isDark.get())
}

system.addEventListener('change', apply)

export function chooseTheme(chosen: ThemeChoice): void {
  choice.set(chosen)
  remember(KEY, chosen === 'system' ? null : chosen)
  apply()
}

export const useTheme = (): { choice: ThemeChoice; isDark: boolean } => ({ choice: choice.use(), isDark: isDark.use() })

export function ThemeButton() {
  const { isDark } = useTheme()
  const other = isDark ? 'light' : 'dark'
  return <Button variant="ghost" icon={isDark ? SunIcon : MoonIcon} label={`Switch to ${other} mode`} onClick={() => chooseTheme(other)} />
}
