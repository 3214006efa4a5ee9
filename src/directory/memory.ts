export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

/** A typed array that grows by half its size when a value is written past its end. */
export class GrowingColumn<A extends NumberArray> {
  values: A
  readonly #make: new (
    length: number,
  ) => A

  constructor(make: new (length: number) => A) {
    this.#make = make
    this.values = new make(1024)
  }

  get(index: number): number {
    return this.values[index] ?? 0
  }

  set(index: number, value: number): void {
    if (index >= this.values.length) {
      const grown = new this.#make(Math.max(index + 1, Math.floor(this.values.length * 1.5)))
      grown.set(this.values)
      this.values = grown
    }
    this.values[index] = value
  }

  /** Takes over an array of the same type. */
  replace(values: NumberArray): void {
    this.values = values as A
  }
}

/** A 53-bit hash of a text, to recognize a million names without storing them. */
export function hashText(text: string): number {
  let low = 0x811c9dc5
  let high = 0x9747b28c
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x5bd1e995)
    high ^= high >>> 15
  }
  return (low >>> 0) * 0x20_0000 + ((high >>> 0) & 0x1f_ffff)
}
