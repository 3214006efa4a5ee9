import { formatPercent } from './format.ts'

export function Progress({ part, whole, label }: { part: number; whole: number; label: string }) {
  const fraction = whole > 0 ? Math.min(1, part / whole) : 0
  return (
    <div className="flex items-center gap-2">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(fraction * 100)}
        className="h-1.5 w-16 overflow-hidden rounded-full bg-line"
      >
        <div className="h-full rounded-full bg-accent transition-[width] duration-500 ease-calm" style={{ width: `${fraction * 100}%` }} />
      </div>
      <span className="w-9 text-right text-faint text-xs tabular">{whole > 0 ? formatPercent(Math.floor(fraction * 100) / 100) : '–'}</span>
    </div>
  )
}
