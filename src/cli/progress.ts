import type { Shell } from './shell.ts'

const WIDTH = 24

/** A line on stderr that is overwritten again and again. Without a terminal, nothing is shown. */
export class Progress {
  readonly #shell: Shell
  readonly #what: string
  readonly #unit: string
  #isShown = false

  constructor(shell: Shell, what: string, unit: string) {
    this.#shell = shell
    this.#what = what
    this.#unit = unit
  }

  /** Without a total there is no bar, only the amount. */
  show(done: number, whole: number | null): void {
    if (!this.#shell.status) return
    const count = (number: number): string => number.toLocaleString('en')
    this.#isShown = true
    if (whole === null) {
      this.#shell.status(`${this.#what}: ${count(done)} ${this.#unit}`)
      return
    }
    const share = whole === 0 ? 1 : Math.min(1, done / whole)
    const filled = Math.round(share * WIDTH)
    const bar = '#'.repeat(filled) + '-'.repeat(WIDTH - filled)
    this.#shell.status(`${this.#what} [${bar}] ${count(Math.min(done, whole))} of ${count(whole)} ${this.#unit}`)
  }

  /** Leaves an empty line for what is printed next. */
  end(): void {
    if (this.#isShown) this.#shell.status?.('')
    this.#isShown = false
  }
}
