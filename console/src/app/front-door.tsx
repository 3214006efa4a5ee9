import type { ReactNode } from 'react'
import { Logo } from './logo.tsx'

/** What is seen by somebody who is not signed in yet: one card in the middle. */
export function FrontDoor({ children, below }: { children: ReactNode; below?: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="rise w-full max-w-sm">
        <div className="mb-6 flex justify-center">
          <Logo />
        </div>
        <div className="rounded-2xl border border-line bg-panel p-6 shadow-low">{children}</div>
        {below}
      </div>
    </main>
  )
}

export function DoorTitle({ children }: { children: ReactNode }) {
  return <h1 className="font-semibold text-lg tracking-tight">{children}</h1>
}
