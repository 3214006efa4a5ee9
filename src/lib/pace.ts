import { setTimeout as sleep } from 'node:timers/promises'

/** Longer rests would only make the work itself longer: whoever waits has had a turn by then. */
const LONGEST_REST_MS = 50

/**
 * For work in many pieces that nobody waits for second by second, such as a large import. After each piece it rests as long as the piece
 * took, so that half of the processors and of the database is left to small requests.
 */
export class Pace {
  #restedAt = performance.now()

  async rest(): Promise<void> {
    await sleep(Math.min(performance.now() - this.#restedAt, LONGEST_REST_MS))
    this.#restedAt = performance.now()
  }
}
