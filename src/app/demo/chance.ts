/** A repeatable source of chance: the same seed gives the same directory on every machine. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  is(share: number): boolean {
    return this.next() < share
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!
  }
}

/** Draws positions with given weights. */
export class Weighted {
  readonly #sums: Float64Array

  constructor(weights: ArrayLike<number>) {
    this.#sums = new Float64Array(weights.length)
    let sum = 0
    for (let index = 0; index < weights.length; index++) {
      sum += weights[index]!
      this.#sums[index] = sum
    }
  }

  draw(chance: Chance): number {
    const target = chance.next() * this.#sums[this.#sums.length - 1]!
    return firstIndex(this.#sums.length - 1, index => this.#sums[index]! > target)
  }
}

/** Weights that fall with the rank, as sizes of companies and popularity of names do. */
export const zipf = (count: number, exponent: number): Float64Array =>
  Float64Array.from({ length: count }, (_, rank) => (rank + 1) ** -exponent)

/** The first index below `length` from which on the condition holds, or `length`: a binary search in what is sorted by the condition. */
function firstIndex(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
