export interface ChartLine {
  label: string
  values: readonly (number | null)[]
  /** A colour of the theme, like `--c-accent`. */
  colour?: `--c-${string}`
}

export interface ChartProps {
  /** Seconds since 1970, in order. */
  times: readonly number[]
  lines: readonly ChartLine[]
  height?: number
  /** False where the screen has a legend of its own. */
  hasLegend?: boolean
  /** Said by screen readers: what is to be seen, in a sentence. */
  label: string
}
