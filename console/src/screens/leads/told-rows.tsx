import { Card } from '@/ui/card.tsx'
import { formatCount } from '@/ui/format.ts'

export interface ToldRowsProps {
  title: string
  description: string
  rows: readonly { line: number; reason: string }[]
  count: number
  tone: 'bad' | 'warn'
}

/** Rows of a file and what is wrong with each. */
export function ToldRows({ title, description, rows, count, tone }: ToldRowsProps) {
  return (
    <Card isFlush title={title} description={description}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="max-h-64 overflow-y-auto" aria-label={title} tabIndex={0}>
        <ul className="divide-y divide-line">
          {rows.map(({ line, reason }) => (
            <li key={`${line}${reason}`} className="flex gap-4 px-4 py-1.5">
              <span className="w-20 shrink-0 text-faint tabular">Line {formatCount(line)}</span>
              <span className={tone === 'bad' ? 'text-bad' : 'text-warn'}>{reason}</span>
            </li>
          ))}
        </ul>
        {count > rows.length ? <p className="px-4 py-2 text-faint">and {formatCount(count - rows.length)} more</p> : null}
      </section>
    </Card>
  )
}
