import type { ReactNode } from 'react'

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-grid h-4.5 min-w-4.5 place-items-center rounded border border-line bg-panel px-1 font-sans text-2xs text-faint">
      {children}
    </kbd>
  )
}
