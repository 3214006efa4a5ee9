/**
 * PostgreSQL stores no NUL, and in JSON no half of a surrogate pair: it would refuse a message with one of them every time.
 * Every text that strangers write goes through this function before it is stored.
 */
export function storableText(text: string, maxChars = Number.POSITIVE_INFINITY): string {
  const whole = text.includes('\0') || !text.isWellFormed() ? text.replaceAll('\0', '').toWellFormed() : text
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

/** Characters that a person does not see, but a model reads, or that reorder text: controls, marks of direction, tags, joiners. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu

/** Whether there is nothing to see: only spaces, controls, and characters that are drawn as nothing, such as U+200B or U+3164. */
export const isBlank = (text: string): boolean => !/[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)

/** The text without the spaces around it; null when there is nothing to see. */
export const visibleText = (text: string | null | undefined): string | null => (text && !isBlank(text) ? text.trim() : null)

/** Lines and tabs stay. */
export const withoutUnseen = (text: string): string => text.replace(UNSEEN, letter => (letter === '\n' || letter === '\t' ? letter : ''))
