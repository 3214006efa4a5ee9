import { useRef } from 'react'
import type { Option } from '@/ui/options.ts'

/** Values that rows had since the screen was opened, as choices of a filter: the API has no list of them. */
export function useSeen(values: readonly string[], chosen: string | undefined): Option<string>[] {
  const seen = useRef(new Set<string>())
  for (const value of chosen ? [...values, chosen] : values) seen.current.add(value)
  return [...seen.current].sort().map(value => ({ value, label: value }))
}
