import type { EventRow } from './queries.ts'

/** The events after number `from`, up to `to`: read once, for all streams that are at `from`. */
export type News = { from: number; to: number; rows: EventRow[] }

/** Notifies one stream. For a slow client only the latest notification is kept: a stream that misses some reads the log itself. */
export class Follower {
  #news: News | null = null
  #hasBeat = false
  #isOver = false
  #heard = Promise.withResolvers<void>()

  get isOver(): boolean {
    return this.#isOver
  }

  tell(news: News): void {
    this.#news = news
    this.#heard.resolve()
  }

  beat(): void {
    this.#hasBeat = true
    this.#heard.resolve()
  }

  end(): void {
    this.#isOver = true
    this.#heard.resolve()
  }

  /** Waits for the next notification. Null: the stream only has to send a sign of life, or is over. */
  async next(): Promise<News | null> {
    while (!this.#news && !this.#hasBeat && !this.#isOver) {
      await this.#heard.promise
      this.#heard = Promise.withResolvers<void>()
    }
    const news = this.#news
    this.#news = null
    this.#hasBeat = false
    return news
  }
}
