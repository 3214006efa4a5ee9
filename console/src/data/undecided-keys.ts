interface Kept {
  key: string
  at: number
}

/**
 * The idempotency keys of writes whose end nobody knows yet: on their way, or without an answer that decides. The same write, sent again,
 * carries the same key, so that nothing is done, sent or charged twice.
 */
export class UndecidedKeys {
  readonly #kept: Map<string, Kept>
  readonly #name: string
  readonly #onChange: () => void

  constructor(kept = new Map<string, Kept>(), name = '', onChange = () => {}) {
    this.#kept = kept
    this.#name = name
    this.#onChange = onChange
  }

  /** The key of before, as long as that is undecided; else null. */
  find(input: string, now: number): string | null {
    const kept = this.#kept.get(this.#nameOf(input))
    return kept && now - kept.at < KEPT_MS ? kept.key : null
  }

  keep(input: string, key: string, now: number): void {
    const name = this.#nameOf(input)
    // The newest stands last.
    this.#kept.delete(name)
    this.#kept.set(name, { key, at: now })
    this.#onChange()
  }

  forget(input: string): void {
    this.#kept.delete(this.#nameOf(input))
    this.#onChange()
  }

  clear(): void {
    this.#kept.clear()
    this.#onChange()
  }

  #nameOf(input: string): string {
    return `${this.#name} ${digestOf(input)}`
  }
}

/** After this, who sends the same again means a second one. */
const KEPT_MS = 3_600_000

const MOST_STORED = 100
const STORED_AS = 'overture.undecided'

const lasting = new Map<string, Kept>(readStored(Date.now()))

/**
 * The keys of writes of one name: they outlast the dialog or the screen that has sent them, and also the page, because after an error of a
 * proxy people load it again.
 */
export const lastingKeys = (name: string): UndecidedKeys => new UndecidedKeys(lasting, name, store)

/** For who signs out: the next one at this screen finds nothing of it. */
export function forgetLastingKeys(): void {
  lasting.clear()
  store()
}

function readStored(now: number): [string, Kept][] {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED_AS) ?? '[]') as [string, Kept][]
    return stored.filter(([, { key, at }]) => typeof key === 'string' && now - at < KEPT_MS)
  } catch {
    // Without storage they last as long as the page.
    return []
  }
}

function store(): void {
  const now = Date.now()
  for (const [name, { at }] of lasting) if (now - at >= KEPT_MS) lasting.delete(name)
  try {
    sessionStorage.setItem(STORED_AS, JSON.stringify([...lasting].slice(-MOST_STORED)))
  } catch {
    // They last as long as the page.
  }
}

/**
 * What was sent may be large, and may name people: only a short digest of it is kept. Should two inputs share one, the service refuses the
 * key for the second, which then gets its own. Written by hand, because `crypto.subtle` is missing where the page came by plain http.
 */
function digestOf(text: string): string {
  let high = 0x9e3779b9
  let low = 0x85ebca6b
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x9e3779b1)
    low = Math.imul(low ^ code, 0x5f356495)
    high ^= high >>> 15
    low ^= low >>> 13
  }
  return `${text.length}-${(high >>> 0).toString(36)}${(low >>> 0).toString(36)}`
}
