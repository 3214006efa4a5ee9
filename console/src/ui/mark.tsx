import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { AlertIcon, CheckIcon, InfoIcon } from './icons.tsx'

const MARKS = {
  good: [CheckIcon, 'bg-good-wash text-good'],
  warn: [AlertIcon, 'bg-warn-wash text-warn'],
  bad: [AlertIcon, 'bg-bad-wash text-bad'],
  neutral: [InfoIcon, 'bg-sunken text-faint'],
} as const

/** The outcome of one check in a list. The children replace the icon. */
export function Mark({ tone, label, children }: { tone: keyof typeof MARKS; label?: string; children?: ReactNode }) {
  const [Glyph, look] = MARKS[tone]
  return (
    <span className={cx('mt-0.5 grid size-5 shrink-0 place-items-center rounded-full', look)}>
      {children === undefined ? <Glyph width={12} height={12} /> : children}
      {label ? <span className="sr-only">{label}</span> : null}
    </span>
  )
}
