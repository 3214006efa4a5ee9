import { useEffect, useRef, useState } from 'react'
import UPlot from 'uplot'
import { useTheme } from '@/app/theme.tsx'
import type { ChartProps } from './chart.tsx'
import { formatCount, formatDay, formatTime, formatWeekday } from './format.ts'

const colorOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--color-${name}`).trim()

const HOUR_S = 3600

const AXIS_PX = 44
const TIP_PX = 208
const SPACE_PX = 16

/** The position of the numbers: next to the pointer, and never beyond the edge. */
function tipLeft(left: number, width: number): number {
  const at = left + AXIS_PX
  return at > width / 2 ? Math.max(0, at - TIP_PX - SPACE_PX) : Math.min(at + SPACE_PX, Math.max(0, width - TIP_PX))
}

export function ChartCanvas({ times, lines, height }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const { isDark } = useTheme()
  const [pointed, setPointed] = useState<{ index: number; left: number } | null>(null)
  const isByHour = times.length > 1 && times[1]! - times[0]! <= HOUR_S
  // biome-ignore lint/correctness/useExhaustiveDependencies: a canvas keeps the colors it was drawn with, so it is drawn again for another theme
  useEffect(() => {
    const element = place.current!
    const font = `11px ${getComputedStyle(document.body).fontFamily}`
    const axis = { stroke: colorOf('faint'), font, ticks: { show: false }, grid: { stroke: colorOf('line'), width: 1 } }
    const word = (at: number): string => {
      const date = new Date(at * 1000)
      return isByHour && date.getHours() > 0 ? formatTime(date) : formatDay(date)
    }
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height,
        padding: [8, 22, 0, 0],
        legend: { show: false },
        cursor: { points: { size: 7 }, drag: { x: false, y: false } },
        axes: [
          { ...axis, grid: { show: false }, size: 28, space: 64, values: (_, ticks) => ticks.map(word) },
          { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] },
        ],
        scales: { y: { range: (_, __, most) => [0, Math.max(4, most * 1.1)] } },
        hooks: {
          setCursor: [
            ({ cursor }) => {
              const { idx, left } = cursor
              setPointed(idx === null || idx === undefined || left === undefined || left < 0 ? null : { index: idx, left })
            },
          ],
        },
        series: [
          {},
          ...lines.map((line, index) => {
            const stroke = colorOf(line.color)
            return {
              label: line.label,
              stroke,
              width: 1.75,
              points: { show: false },
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
      setPointed(null)
    }
  }, [times, lines, height, isDark, isByHour])
  const at = pointed ? times[pointed.index] : undefined
  return (
    <div className="relative min-w-0 text-xs">
      <div ref={place} />
      {pointed && at !== undefined ? (
        <div
          className="popup pointer-events-none absolute top-2 z-1 w-52 px-2.5 py-2"
          style={{ left: tipLeft(pointed.left, place.current?.clientWidth ?? 0) }}
        >
          <p className="mb-1 font-medium">
            {isByHour ? `${formatWeekday(at * 1000)}, ${formatTime(at * 1000)}` : formatWeekday(at * 1000)}
          </p>
          {lines.map(({ label, color, values }) => (
            <p key={label} className="flex items-center gap-1.5 whitespace-nowrap">
              <span className="size-2 shrink-0 rounded-full" style={{ background: `var(--color-${color})` }} />
              <span className="min-w-0 truncate text-soft">{label}</span>
              <span className="ml-auto pl-3 font-medium tabular">{formatCount(values[pointed.index] ?? 0)}</span>
            </p>
          ))}
        </div>
      ) : null}
    </div>
  )
}
