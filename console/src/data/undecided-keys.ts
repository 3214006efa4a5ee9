interface Kept {
  key: string
  /** When it was first sent: what depends on the time must be the same when it is sent again. */
  firstAt: number
  at: number
}

/**
 * The idempotency keys of writes whose end nobody knows yet: on their way, or without an answer that decides. The same write, sent again,
 * carries the same key, so that nothing is done, sent or charged twice.
 */
export interface UndecidedKeys {
  /** The key of before, as long as that is undecided; else null. */
  find(input: string, now: number): Pick<Kept, 'key' | 'firstAt'> | null
  keep(input: string, write: Pick<Kept, 'key' | 'firstAt'>, now: number): void
  forget(input: string): void
  clear(): void
}

/** After this, who sends the same again means a second one. */
const KEPT_MS = 3_600_000

export function undecidedKeys(kept = new Map<string, Kept>(), name = '', onChange = () => {}): UndecidedKeys {
  const nameOf = (input: string) => name + digestOf(input)
  return {
    find: (input, now) => {
      const found = kept.get(nameOf(input))
      return found && now - found.at < KEPT_MS ? found : null
    },
    keep: (input, { key, firstAt }, at) => {
      // The newest stands last.
      kept.delete(nameOf(input))
      kept.set(nameOf(input), { key, firstAt, at })
      onChange()
    },
    forget: input => {
      kept.delete(nameOf(input))
      onChange()
    },
    clear: () => kept.clear(),
  }
}

const MOST_STORED = 100
/** Signing out empties the storage of the session. */
const STORED_AS = 'overture.undecided-writes'

let lasting: Map<string, Kept>
try {
  lasting = new Map(JSON.parse(sessionStorage.getItem(STORED_AS) ?? '[]'))
} catch {
  lasting = new Map()
}

function store(): void {
  try {
    sessionStorage.setItem(STORED_AS, JSON.stringify([...lasting].filter(([, { at }]) => Date.now() - at < KEPT_MS).slice(-MOST_STORED)))
  } catch {
    // Without storage they last as long as the page.
  }
}

/**
 * The keys of writes of one name: they outlast the dialog or the screen that has sent them, and also the page, because after an error of a
 * proxy people load it again.
 */
export const lastingKeys = (name: string): UndecidedKeys => undecidedKeys(lasting, name, store)

/**
 * What was sent may be large, and may name people: only a short digest of it is kept. Should two inputs share one, the service refuses the
 * key for the second, which then gets its own. Written by hand, because `crypto.subtle` is missing where the page came by plain http.
 */
function digestOf(text: string): string {
  let digest = 0
  for (let index = 0; index < text.length; index++) digest = Math.imul(digest ^ text.charCodeAt(index), 0x9e3779b1) ^ (digest >>> 15)
  return ` ${text.length} ${digest}`
}
