import { isRecord } from './is-record.ts'

/** The service gives the keys of an object in an order of its own. */
const sorted = (_: string, value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value

/** Whether two values would be the same JSON. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one, sorted) === JSON.stringify(other, sorted)
