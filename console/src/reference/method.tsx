import { cx } from '../ui/cx.ts'

const LOOKS: Record<string, string> = {
  GET: 'text-good',
  POST: 'text-accent-ink',
  PUT: 'text-warn',
  PATCH: 'text-warn',
  DELETE: 'text-bad',
}
const SHORT: Record<string, string> = { DELETE: 'DEL' }

export function Method({ method, isShort, className }: { method: string; isShort?: boolean; className?: string }) {
  return (
    <span className={cx('shrink-0 font-mono font-semibold text-2xs', LOOKS[method], className)}>
      {isShort ? (SHORT[method] ?? method) : method}
    </span>
  )
}
