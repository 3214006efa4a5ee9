/**
 * PostgreSQL stores no NUL, and in JSON no half of a surrogate pair: it would refuse a message with one of them every time.
 * Every text that strangers write goes through this function before it is stored.
 */
export function storableText(text: string, maxChars = Number.POSITIVE_INFINITY): string {
  const whole = text.replaceAll('\0', '').toWellFormed()
  if (whole.length <= maxChars) return whole
  // Does not cut a surrogate pair in half, because half a pair cannot be stored.
  const isPair = isHighSurrogate(whole.charCodeAt(maxChars - 1))
  return whole.slice(0, isPair ? maxChars - 1 : maxChars)
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** The same for every text in plain data: objects, lists, maps. Other values stay as they are. */
export const storableData = <T>(value: T): T => storable(value) as T

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (value instanceof Map) return new Map([...value].map(([key, member]) => [storable(key), storable(member)]))
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [storableText(key), storable(member)]))
}
