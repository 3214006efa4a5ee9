import { useRef } from 'react'
import type { Option } from '@/ui/options.ts'

/** Actions that rows had since the screen was opened, as choices of a filter: the API has no list of them. */
export function useSeenActions({ rows }: { rows: readonly { action: string }[] }, chosen: string | undefined): Option<string>[] {
  const seen = useRef(new Set<string>())
  for (const { action } of rows) seen.current.add(action)
  if (chosen) seen.current.add(chosen)
  return [...seen.current].sort().map(value => ({ value, label: value }))
}
