import { UsageError } from '../failures.ts'

const KINDS = ['positive', 'negative', 'neutral', 'opt_out', 'auto_reply'] as const
type Kind = (typeof KINDS)[number]

export function readKind(text: string | undefined, next: string): Kind | undefined {
  if (text === undefined) return undefined
  const kind = KINDS.find(each => each === text.toLowerCase().replaceAll('-', '_'))
  if (!kind) throw new UsageError(`--kind must be one of ${KINDS.join(', ')}, not "${text}".`, next)
  return kind
}
