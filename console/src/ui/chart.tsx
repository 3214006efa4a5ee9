import { useState } from 'react'
import { cx } from './cx.ts'
import { formatCount, formatPercent } from './format.ts'
import { lazyPart } from './lazy.ts'
import { Skeleton } from './skeleton.tsx'
import { useNarrow } from './use-width.ts'

export interface ChartLine {
  label: string
  values: readonly (number | null)[]
  /** A color of the theme, like `accent`. */
  color: string
}

export interface ChartProps {
  /** Seconds since 1970, in order. */
  times: readonly number[]
  lines: readonly ChartLine[]
  height: number
  /** A sentence for screen readers that describes the chart. */
  label: string
}

/**
 * Chromium under the POSIX locale calls its language "en-US@posix", which Intl refuses. uPlot asks for it when it is loaded, so this runs
 * before the canvas is imported.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' })
}

const Canvas = lazyPart(
  () => import('./chart-canvas.tsx').then(module => module.ChartCanvas),
  ({ height }: ChartProps) => (
    <div style={{ height }}>
      <Skeleton className="size-full" />
    </div>
  ),
)

/** Lines over time, without a legend. The library that draws them is loaded with the first chart. */
export function Chart(props: ChartProps) {
  return (
    <figure aria-label={props.label}>
      <Canvas {...props} />
    </figure>
  )
}

export interface BarGroup extends Pick<ChartLine, 'label'> {
  key: string
  /** A class of the theme, like `bg-accent`. */
  color: string
}

export interface StackedBar {
  key: string
  label: string
  /** Heads the numbers of the bar under the pointer. */
  title: string
  /** By the key of the group. */
  values: Readonly<Record<string, number>>
}

interface StackedBarsProps extends Pick<ChartProps, 'height' | 'label'> {
  bars: readonly StackedBar[]
  groups: readonly BarGroup[]
}

/** Labels next to each other must not touch, on a phone either. */
const MOST_LABELS = { phone: 5, desk: 8 }

const sumOf = ({ values }: StackedBar): number => Object.values(values).reduce((sum, value) => sum + value, 0)

/** The end of a scale whose middle is a whole number, too: 1, 2 or 4 times a power of ten. */
function roundUp(value: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(1, value)))
  return ([1, 2, 4, 10].find(step => step * size >= value) ?? 10) * size
}

/** Sums over time, divided into groups. Hovering over a bar shows its numbers, so a table must show the same. */
export function StackedBars({ bars, groups, label, height }: StackedBarsProps) {
  const [pointedKey, setPointed] = useState<string | null>(null)
  const most = roundUp(Math.max(4, ...bars.map(sumOf)))
  const every = Math.ceil(bars.length / (useNarrow() ? MOST_LABELS.phone : MOST_LABELS.desk))
  const at = bars.findIndex(({ key }) => key === pointedKey)
  const pointed = bars[at]
  return (
    <figure aria-label={label} className="relative text-xs">
      <div className="relative ml-9" style={{ height }}>
        {[0, 0.5, 1].map(share => (
          <div key={share} className="absolute inset-x-0 border-line border-t" style={{ bottom: `${share * 100}%` }} aria-hidden="true">
            <span className="-left-9 -translate-y-1/2 absolute w-7 text-right text-2xs text-faint tabular">
              {formatCount(most * share)}
            </span>
          </div>
        ))}
        <div className="absolute inset-0 flex items-end" aria-hidden="true" onPointerLeave={() => setPointed(null)}>
          {bars.map(bar => (
            <div
              key={bar.key}
              className={cx('flex h-full min-w-0 flex-1 flex-col-reverse px-px transition-colors', bar.key === pointedKey && 'bg-hover')}
              onPointerEnter={() => setPointed(bar.key)}
            >
              {groups.map(group => (
                <span
                  key={group.key}
                  className={cx('mx-auto block w-full max-w-8 shrink-0 first:rounded-b-none last:rounded-t-sm', group.color)}
                  style={{ height: `${((bar.values[group.key] ?? 0) / most) * 100}%` }}
                />
              ))}
            </div>
          ))}
        </div>
        {pointed ? (
          <div
            className="popup pointer-events-none absolute top-1 z-1 px-2.5 py-2"
            style={
              at > bars.length / 2
                ? { right: `${((bars.length - at) / bars.length) * 100 + 1}%` }
                : { left: `${((at + 1) / bars.length) * 100 + 1}%` }
            }
          >
            <p className="mb-1 flex justify-between gap-4 font-medium whitespace-nowrap">
              {pointed.title} <span className="tabular">{formatCount(sumOf(pointed))}</span>
            </p>
            {groups
              .filter(group => (pointed.values[group.key] ?? 0) > 0)
              .map(group => (
                <p key={group.key} className="flex items-center gap-1.5 whitespace-nowrap">
                  <span className={cx('size-2 rounded-full', group.color)} />
                  <span className="max-w-48 truncate text-soft">{group.label}</span>
                  <span className="ml-auto pl-3 tabular">{formatCount(pointed.values[group.key]!)}</span>
                </p>
              ))}
          </div>
        ) : null}
      </div>
      <div className="mt-1.5 ml-9 flex text-2xs text-faint" aria-hidden="true">
        {bars.map(({ key, label: text }, index) => (
          <span key={key} className="flex min-w-0 flex-1 justify-center overflow-visible whitespace-nowrap">
            {index % every === 0 ? text : ''}
          </span>
        ))}
      </div>
    </figure>
  )
}

const WIDTH = 88
const HEIGHT = 24

/** A small line without axes for the trend of the last days. `label` explains it. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const most = Math.max(...values, 0)
  if (values.length < 2 || most === 0) {
    return (
      <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label} className="block text-line-strong">
        <path d={`M1 ${HEIGHT - 2.5}H${WIDTH - 1}`} stroke="currentColor" strokeWidth="1.5" strokeDasharray="1 4" strokeLinecap="round" />
      </svg>
    )
  }
  const x = (index: number): number => 1 + (index * (WIDTH - 2)) / (values.length - 1)
  const y = (value: number): number => HEIGHT - 2 - (value / most) * (HEIGHT - 4)
  const line = values.map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join('')
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label} className="block text-accent">
      <path d={`${line}L${x(values.length - 1)} ${HEIGHT}L1 ${HEIGHT}Z`} fill="currentColor" fillOpacity="0.1" />
      <path d={line} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" strokeLinecap="round" />
    </svg>
  )
}

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
      <span className="w-10 text-right text-faint text-xs tabular">
        {whole > 0 ? formatPercent(Math.floor(fraction * 1e3) / 1e3) : '–'}
      </span>
    </div>
  )
}
