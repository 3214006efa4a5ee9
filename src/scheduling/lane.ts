import type { MailboxMeter } from './capacity.ts'
import { Heap } from './heap.ts'

/** A lead on its way through the sequence. `step` is the index of the step to send next. */
export type QueuedLead = {
  readonly id: string
  readonly domain: string
  /** The lead's own zone, for schedules that go by it. */
  readonly timezone?: string | null
  step: number
  dueMs: number
  mailboxId: string | null
}

/** Follow-ups before first contacts, then whoever has been due the longest; the id only makes the order certain. */
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
export class Lane {
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

  /** The lead whose turn it is, among the groups that were not set aside. */
  peek(): QueuedLead | undefined {
    for (;;) {
      const entry = this.#order.peek()
      if (entry === undefined) return undefined
      // An entry is out of date once its group has got another head; that head has an entry of its own.
      if (entry.group.leads.peek() === entry.head) return entry.head
      this.#order.pop()
    }
  }

  /** Takes out the lead that `peek` showed. */
  pop(): void {
    const entry = this.#order.pop()!
    entry.group.leads.pop()
    this.#size--
    const head = entry.group.leads.peek()
    if (head === undefined) this.#groups.delete(entry.group.domain)
    else this.#order.push({ group: entry.group, head })
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
