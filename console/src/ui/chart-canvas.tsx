import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '@/app/theme.ts'
import type { ChartProps } from './chart-lines.ts'
import { formatCount, formatDay, formatHour } from './format.ts'

const colourOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const DAY_SECONDS = 86_400
const nameTime = (seconds: number, stepSeconds: number): string =>
  stepSeconds < DAY_SECONDS ? formatHour(new Date(seconds * 1000)) : formatDay(new Date(seconds * 1000))

const stepOf = (times: readonly number[]): number => (times.length > 1 ? times[1]! - times[0]! : DAY_SECONDS)

export function ChartCanvas({ times, lines, height = 220 }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const { isDark } = useTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a canvas keeps the colours it was drawn with, so it is drawn anew for another theme
  useEffect(() => {
    const element = place.current!
    const font = `11px ${getComputedStyle(document.body).fontFamily}`
    const axis = { stroke: colourOf('--c-faint'), font, ticks: { show: false }, grid: { stroke: colourOf('--c-line'), width: 1 } }
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height,
        padding: [8, 8, 0, 0],
        legend: { show: true, live: true },
        cursor: { points: { size: 7 }, drag: { x: false, y: false } },
        axes: [
          { ...axis, size: 30, grid: { show: false }, values: (_, splits, __, ___, step) => splits.map(at => nameTime(at, step)) },
          { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] },
        ],
        scales: { y: { range: (_, __, most) => [0, Math.max(4, most * 1.1)] } },
        series: [
          // What the pointer is not on has no number; the legend then shows names only.
          { label: '', value: (_, at) => (at === null || at === undefined ? '' : nameTime(at, stepOf(times))) },
          ...lines.map((line, index) => {
            const stroke = colourOf(line.colour ?? (['--c-accent', '--c-good', '--c-warn', '--c-bad'] as const)[index % 4]!)
            return {
              label: line.label,
              stroke,
              width: 1.75,
              points: { show: false },
              value: (_: unknown, count: number | null) => (count === null || count === undefined ? '' : formatCount(count)),
              ...(index === 0 ? { fill: `color-mix(in oklch, ${stroke} 9%, transparent)` } : {}),
            }
          }),
        ],
      },
      [times as number[], ...lines.map(line => line.values as (number | null)[])],
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [times, lines, height, isDark])
  return <div ref={place} className="min-w-0 text-xs" />
}
