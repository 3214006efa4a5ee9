import type { ComponentProps } from 'react'

/** One of a few choices that each need a few words. */
export function RadioCard({ children, ...input }: ComponentProps<'input'>) {
  return (
    <label className="flex items-start gap-2.5 rounded-lg border border-line-strong bg-panel px-3 py-2.5 transition-colors has-enabled:hover:bg-hover has-checked:border-accent has-checked:ring-1 has-checked:ring-accent">
      <input type="radio" className="mt-1 accent-accent" {...input} />
      <span className="min-w-0 flex-1">{children}</span>
    </label>
  )
}
