import type { ComponentType, ReactNode } from 'react'
import { CheckIcon } from './icons.tsx'

/** The place of the mark behind a choice of a list. `of` shows it only for what is chosen. */
export function Tick({ of: Indicator }: { of: ComponentType<{ children?: ReactNode }> }) {
  return (
    <span className="grid w-4 place-items-center text-accent-ink">
      <Indicator>
        <CheckIcon />
      </Indicator>
    </span>
  )
}
