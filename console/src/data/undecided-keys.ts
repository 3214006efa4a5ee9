/**
 * The idempotency keys of writes whose end nobody knows yet: on their way, or without an answer that decides. The same write, sent again,
 * carries the same key, so that nothing is done, sent or charged twice.
 */
export class UndecidedKeys {
  readonly #kept = new Map<string, { key: string; at: number }>()

  /** The key of before, as long as that is undecided; else null. */
  find(input: string, now: number): string | null {
    const kept = this.#kept.get(input)
    return kept && now - kept.at < KEPT_MS ? kept.key : null
  }

  keep(input: string, key: string, now: number): void {
    this.#kept.set(input, { key, at: now })
  }

  forget(input: string): void {
    this.#kept.delete(input)
  }

  clear(): void {
    this.#kept.clear()
  }
}

/** After this, who sends the same again means a second one. */
const KEPT_MS = 3_600_000

const lasting = new Map<string, UndecidedKeys>()

/** The keys of writes of one name: they outlast the dialog or the screen that has sent them. */
export function lastingKeys(name: string): UndecidedKeys {
  const keys = lasting.get(name) ?? new UndecidedKeys()
  lasting.set(name, keys)
  return keys
}
