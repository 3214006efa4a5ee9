import type { MailboxMeter } from './capacity.ts'

/**
 * A lead on its way through the sequence, or several that are alike. `step` is the index of the step to send next. Leads
 * that are alike wait as one entry and leave it one by one, so the cost of a queue is its number of different entries.
 */
export type QueuedLead = {
  readonly id: string
  /** The entry that the lead was part of. */
  readonly partOf?: string
  /** How many leads the entry represents, and how many were taken out. */
  count: number
  taken: number
  readonly domain: string
  /** The lead's own zone, for schedules that go by it. */
  readonly timezone?: string | null
  /** The step that the lead does not get, because something is missing for it. */
  readonly stopsAt?: number | undefined
  step: number
  dueMs: number
  mailboxId: string | null
}

export type HandedIn = {
  id: string
  /** The number of equal leads in this entry. Defaults to one. */
  count?: number
  /** The index of the step to send next, from 0. */
  step: number
  dueAt: Date
  /** The recipient's domain; empty when too few leads share it to come up against a limit. */
  domain: string
  timezone?: string | null
  /** The mailbox that wrote the previous step; null before the first contact. */
  mailboxId?: string | null
  /** The step that the lead cannot get; its sequence ends there. */
  stopsAt?: number | undefined
}

/** Leads that leave an entry stay before those that remain in it: their names sort before its own. */
export function toQueued({ id, count = 1, domain, timezone = null, step, dueAt, mailboxId = null, stopsAt }: HandedIn): QueuedLead {
  const rest = { count, taken: 0, domain: domain.toLowerCase(), timezone, step, dueMs: dueAt.getTime(), mailboxId, stopsAt }
  return count === 1 ? { id, ...rest } : { id: `${id}~`, partOf: id, ...rest }
}

/** Follow-ups before first contacts, then the lead that has been due the longest; the id only makes the order deterministic. */
export function goesBefore(a: QueuedLead, b: QueuedLead): boolean {
  const aFollows = a.step > 0
  if (aFollows !== b.step > 0) return aFollows
  if (a.dueMs !== b.dueMs) return a.dueMs < b.dueMs
  return a.id < b.id
}

type Group = { readonly domain: string; readonly leads: Heap<QueuedLead> }
type Entry = { readonly group: Group; readonly head: QueuedLead }

/**
 * The due leads of one campaign that the same mailboxes may write to. They are grouped by recipient domain: when a
 * domain is throttled its whole group is passed over in one step, however many thousand leads it holds.
 */
export class MailboxQueue {
  readonly candidates: readonly MailboxMeter[]
  readonly #throttled: boolean
  readonly #groups = new Map<string, Group>()
  readonly #order = new Heap<Entry>((a, b) => goesBefore(a.head, b.head))
  #setAside: Group[] = []
  #size = 0

  constructor(candidates: readonly MailboxMeter[]) {
    this.candidates = candidates
    this.#throttled = candidates.some(meter => meter.mailbox.maxPerDomainPerHour !== null)
  }

  get size(): number {
    return this.#size
  }

  push(lead: QueuedLead): void {
    const domain = this.#throttled ? lead.domain : ''
    let group = this.#groups.get(domain)
    if (group === undefined) {
      group = { domain, leads: new Heap(goesBefore) }
      this.#groups.set(domain, group)
    }
    group.leads.push(lead)
    this.#size++
    if (group.leads.peek() === lead) this.#order.push({ group, head: lead })
  }

  /** The next lead among the groups that were not excluded. */
  peek(): QueuedLead | undefined {
    for (;;) {
      const entry = this.#order.peek()
      if (entry === undefined) return undefined
      // A heap entry is outdated when its group has another head; that head has its own entry.
      if (entry.group.leads.peek() === entry.head) return entry.head
      this.#order.pop()
    }
  }

  /** Takes out the lead that `peek` showed, or one of those that it represents. */
  pop(): QueuedLead {
    const { head } = this.#order.peek()!
    if (head.count === 1 && head.taken === 0) return this.#remove()
    const one = { ...head, id: `${head.partOf}#${String(head.taken).padStart(7, '0')}`, count: 1, taken: 0 }
    head.count--
    head.taken++
    if (head.count === 0) this.#remove()
    return one
  }

  #remove(): QueuedLead {
    const entry = this.#order.pop()!
    entry.group.leads.pop()
    this.#size--
    const head = entry.group.leads.peek()
    if (head === undefined) this.#groups.delete(entry.group.domain)
    else this.#order.push({ group: entry.group, head })
    return entry.head
  }

  /** Passes over the domain of the lead that `peek` showed, until `restore`. */
  setAside(): void {
    this.#setAside.push(this.#order.pop()!.group)
  }

  restore(): void {
    if (this.#setAside.length === 0) return
    for (const group of this.#setAside) this.#order.push({ group, head: group.leads.peek()! })
    this.#setAside = []
  }

  domains(): Iterable<string> {
    return this.#groups.keys()
  }
}

/** A binary heap: the smallest item, by the given order, comes out first. */
export class Heap<T> {
  readonly #items: T[] = []
  readonly #isBefore: (a: T, b: T) => boolean

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore
  }

  get size(): number {
    return this.#items.length
  }

  peek(): T | undefined {
    return this.#items[0]
  }

  push(item: T): void {
    const items = this.#items
    let at = items.length
    items.push(item)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(item, items[parent]!)) break
      items[at] = items[parent]!
      at = parent
    }
    items[at] = item
  }

  pop(): T | undefined {
    const items = this.#items
    const top = items[0]
    const last = items.pop()
    if (items.length === 0 || last === undefined) return top
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= items.length) break
      if (child + 1 < items.length && this.#isBefore(items[child + 1]!, items[child]!)) child++
      if (!this.#isBefore(items[child]!, last)) break
      items[at] = items[child]!
      at = child
    }
    items[at] = last
    return top
  }
}
