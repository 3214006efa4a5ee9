const WIDTH = 88
const HEIGHT = 24

/** A small line without axes: the shape of the last days. What it means is said by `label`. */
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
