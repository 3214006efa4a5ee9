export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** A sending window until this minute ends with the day, because no request can name 24:00. */
export const LAST_MINUTE = '23:59'
