import { hash32 } from '../lib/ids.ts'
import { HOUR_MS } from '../lib/time.ts'
import { dateOfDay, dayOfDate, type Zone, zoneOf } from './zone.ts'

// The capacity of a mailbox. A mailbox serves campaigns in many zones but has one counter, which the sender reserves in the
// transaction that claims a message. So there is one rule: the day of a mailbox is the calendar day of the mailbox's own
// zone, whatever the zone of the campaign. Give it the zone in which its owner works; a day that turned at midnight UTC
// would let a mailbox in Los Angeles send twice its cap in one afternoon.

export type Mailbox = {
  id: string
  timezone: string
  dailyCap: number
  /** The first day allows `startPerDay`, each calendar day after it `increasePerDay` more, up to the daily cap. */
  rampUp: { startPerDay: number; increasePerDay: number } | null
  connectedAt: Date
  minGapSeconds: number
  /** How much longer than the minimum a gap may be, as a share of it. */
  gapJitter?: number
  /** Messages to one recipient domain in any 60 minutes; null for no limit. */
  maxPerDomainPerHour: number | null
}

/** The stored load of a mailbox. `day` is the mailbox's date that `reserved` counts; null before the first message. */
export type MailboxLoad = { day: string | null; reserved: number; nextSlotAt: Date | null }

const DEFAULT_GAP_JITTER = 0.5

/** Counts one mailbox. Its results depend on the given instant and change only by `reserve`. */
export class MailboxMeter {
  readonly mailbox: Mailbox
  readonly zone: Zone
  readonly #connectedDay: number
  #day: number
  #reserved: number
  #nextSlotMs: number
  // Between two reservations a mailbox is busy up to one instant and free from it on (limits never fall from one day to
  // the next), so we work that instant out once. It holds for every question from `#askedFromMs` on.
  #freeFromMs = Number.POSITIVE_INFINITY
  #askedFromMs = Number.POSITIVE_INFINITY

  constructor(mailbox: Mailbox, load: MailboxLoad) {
    this.mailbox = mailbox
    this.zone = zoneOf(mailbox.timezone)
    this.#connectedDay = this.zone.dayAt(mailbox.connectedAt.getTime())
    this.#day = load.day === null ? Number.NEGATIVE_INFINITY : dayOfDate(load.day)
    this.#reserved = load.reserved
    this.#nextSlotMs = load.nextSlotAt === null ? Number.NEGATIVE_INFINITY : load.nextSlotAt.getTime()
  }

  limitAt(ms: number): number {
    return this.#limitOn(this.#dayAt(ms))
  }

  reservedAt(ms: number): number {
    return this.#dayAt(ms) === this.#day ? this.#reserved : 0
  }

  /** The first instant at or after `ms` at which cap and gap allow a message; null when the limit stays at zero. */
  availableAt(ms: number): number | null {
    if (ms < this.#askedFromMs) {
      this.#askedFromMs = ms
      this.#freeFromMs = this.#findFreeFrom(ms)
    }
    if (ms >= this.#freeFromMs) return ms
    return this.#freeFromMs === Number.POSITIVE_INFINITY ? null : this.#freeFromMs
  }

  isFree(ms: number): boolean {
    return ms >= this.#askedFromMs ? ms >= this.#freeFromMs : this.availableAt(ms) === ms
  }

  /** The limit that holds the mailbox back at `ms`, or null when it is free. */
  blockedBy(ms: number): 'mailbox_cap' | 'mailbox_gap' | null {
    if (this.reservedAt(ms) >= this.limitAt(ms)) return 'mailbox_cap'
    return ms < this.#nextSlotMs ? 'mailbox_gap' : null
  }

  reserve(ms: number, seed: string): void {
    const day = this.#dayAt(ms)
    this.#reserved = day === this.#day ? this.#reserved + 1 : 1
    this.#day = day
    this.#nextSlotMs = nextSlotMs(this.mailbox, ms, seed)
    this.#askedFromMs = ms
    this.#freeFromMs = this.#findFreeFrom(ms)
  }

  load(): MailboxLoad {
    return {
      day: Number.isFinite(this.#day) ? dateOfDay(this.#day) : null,
      reserved: this.#reserved,
      nextSlotAt: Number.isFinite(this.#nextSlotMs) ? new Date(this.#nextSlotMs) : null,
    }
  }

  /** Negative when this mailbox has used a smaller share of its day than the other; it may then be preferred. */
  compareLoad(other: MailboxMeter, ms: number): number {
    const share = this.reservedAt(ms) * other.limitAt(ms) - other.reservedAt(ms) * this.limitAt(ms)
    if (share !== 0) return share
    // Minus infinity minus itself is NaN, so we compare: two mailboxes that never sent are equal.
    if (this.#nextSlotMs !== other.#nextSlotMs) return this.#nextSlotMs < other.#nextSlotMs ? -1 : 1
    return this.mailbox.id < other.mailbox.id ? -1 : 1
  }

  #findFreeFrom(ms: number): number {
    const at = Math.max(ms, this.#nextSlotMs)
    const day = this.#dayAt(at)
    const used = day === this.#day ? this.#reserved : 0
    if (used < this.#limitOn(day)) return at
    const nextDay = this.#nextDayWithRoom(day + 1)
    return nextDay === null ? Number.POSITIVE_INFINITY : Math.max(at, this.zone.startOfDay(nextDay))
  }

  /** A counted day never goes back: moving a mailbox to a zone further west must not give it the cap of a second day. */
  #dayAt(ms: number): number {
    return Math.max(this.zone.dayAt(ms), this.#day)
  }

  #limitOn(day: number): number {
    const { dailyCap, rampUp } = this.mailbox
    if (rampUp === null) return Math.max(0, Math.floor(dailyCap))
    const age = Math.max(0, day - this.#connectedDay)
    const ramped = rampUp.startPerDay + Math.max(0, rampUp.increasePerDay) * age
    return Math.max(0, Math.floor(Math.min(dailyCap, ramped)))
  }

  #nextDayWithRoom(from: number): number | null {
    if (this.#limitOn(from) >= 1) return from
    const { dailyCap, rampUp } = this.mailbox
    if (dailyCap < 1 || rampUp === null || rampUp.increasePerDay <= 0) return null
    let day = Math.max(from, this.#connectedDay + Math.ceil((1 - rampUp.startPerDay) / rampUp.increasePerDay))
    // The sum of fractions such as 0.1 can be slightly less than the whole number.
    if (this.#limitOn(day) < 1) day++
    return day
  }
}

/** The mailbox's date (`YYYY-MM-DD`), the key under which its messages of the day are counted. */
export const mailboxDay = (mailbox: Mailbox, now: Date): string => dateOfDay(zoneOf(mailbox.timezone).dayAt(now.getTime()))

/** The jitter only makes the gap longer, in whole seconds, so that the intervals are not regular. */
function nextSlotMs(mailbox: Mailbox, lastSlotMs: number, seed: string): number {
  if (mailbox.minGapSeconds <= 0) return lastSlotMs
  const choices = Math.floor(mailbox.minGapSeconds * (mailbox.gapJitter ?? DEFAULT_GAP_JITTER)) + 1
  const extraSeconds = Math.floor(fraction(`${seed}|${mailbox.id}|${lastSlotMs}`) * choices)
  return lastSlotMs + (mailbox.minGapSeconds + extraSeconds) * 1000
}

/** A number in [0, 1) that depends only on the text. */
const fraction = (text: string): number => hash32(text) / 2 ** 32

export type DomainSend = { mailboxId: string; domain: string; at: Date }

/**
 * Remembers which mailbox wrote to which recipient domain in the last hour. It is a sliding hour: in any 60 minutes, a mailbox
 * emails a domain at most as often as its limit. An empty name represents domains that have too few leads to reach any
 * limit.
 */
export class DomainThrottle {
  /** By mailbox and domain. */
  readonly #sends = new Map<string, number[]>()

  constructor(recent: Iterable<DomainSend> = []) {
    const inOrder = [...recent].sort((a, b) => a.at.getTime() - b.at.getTime())
    for (const send of inOrder) this.#timesOf(send.mailboxId, send.domain).push(send.at.getTime())
  }

  /** The first instant at or after `ms` at which one more message may go; null when the limit is zero. */
  peek(mailbox: Mailbox, domain: string, ms: number): number | null {
    const limit = mailbox.maxPerDomainPerHour
    if (limit === null || domain === '') return ms
    if (limit <= 0) return null
    const times = this.#sends.get(keyOf(mailbox.id, domain))
    if (times === undefined || times.length < limit) return ms
    return Math.max(ms, times[times.length - limit]! + HOUR_MS)
  }

  reserve(mailbox: Mailbox, domain: string, ms: number): void {
    if (mailbox.maxPerDomainPerHour === null || domain === '') return
    const times = this.#timesOf(mailbox.id, domain)
    times.push(ms)
    if (times.length > mailbox.maxPerDomainPerHour) times.shift()
  }

  #timesOf(mailboxId: string, domain: string): number[] {
    const times = this.#sends.get(keyOf(mailboxId, domain)) ?? []
    this.#sends.set(keyOf(mailboxId, domain), times)
    return times
  }
}

const keyOf = (mailboxId: string, domain: string): string => `${mailboxId} ${domain.toLowerCase()}`
