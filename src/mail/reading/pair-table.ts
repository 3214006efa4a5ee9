/**
 * Numbers pairs of small numbers in the order in which they are first met. Some hundred thousand pairs are looked up when
 * the judge is trained: in flat arrays that costs a fraction of what a map of keys does, and leaves nothing to throw away.
 */

const FIRST_SLOTS = 1 << 17
const FREE = -1

export class PairTable {
  #lefts = new Int32Array(FIRST_SLOTS)
  #rights = new Int32Array(FIRST_SLOTS)
  #numbers = new Int32Array(FIRST_SLOTS).fill(FREE)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The number of a pair, -1 when it was never added. */
  find(left: number, right: number): number {
    return this.#numbers[this.#slotOf(left, right)] as number
  }

  add(left: number, right: number): number {
    const slot = this.#slotOf(left, right)
    const known = this.#numbers[slot] as number
    if (known !== FREE) return known
    this.#lefts[slot] = left
    this.#rights[slot] = right
    this.#numbers[slot] = this.#size++
    if (this.#size * 2 > this.#numbers.length) this.#grow()
    return this.#size - 1
  }

  /** Where the pair is, or would be put: the first slot from its own on that is free or holds it. */
  #slotOf(left: number, right: number): number {
    const mask = this.#numbers.length - 1
    const mixed = Math.imul(left ^ Math.imul(right, 0x85ebca6b), 0x9e3779b1)
    let slot = (mixed ^ (mixed >>> 15)) & mask
    while (this.#numbers[slot] !== FREE && (this.#lefts[slot] !== left || this.#rights[slot] !== right)) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const [lefts, rights, numbers] = [this.#lefts, this.#rights, this.#numbers]
    const slots = numbers.length * 2
    this.#lefts = new Int32Array(slots)
    this.#rights = new Int32Array(slots)
    this.#numbers = new Int32Array(slots).fill(FREE)
    for (let i = 0; i < numbers.length; i++) {
      if (numbers[i] === FREE) continue
      const slot = this.#slotOf(lefts[i] as number, rights[i] as number)
      this.#lefts[slot] = lefts[i] as number
      this.#rights[slot] = rights[i] as number
      this.#numbers[slot] = numbers[i] as number
    }
  }
}
