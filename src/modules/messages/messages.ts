import { countInFlight } from './queries.ts'

/** Messages that have been handed to a mail server or are about to be: past the point where a pause could stop them. */
export const countSendsInFlight = countInFlight
