import { NUMBER_WORDS, SCALES } from '#brief-reader'
import { foldText } from '#lead-terms'

export const PRESETS = new Set([9, 10, 49, 50, 249, 250, 999, 1000])

/** All numbers a passage says, each also multiplied by any scale it mentions ("5-50M" says 5 million as well). */
export function numbersIn(passage: string): number[] {
  const lower = passage.toLowerCase().slice(0, 400)
  const found: number[] = []
  for (const match of lower.matchAll(/\d[\d.,' ]{0,18}/g)) {
    const digits = match[0].trim().replace(/[.,' ]+$/, '')
    const whole = Number(digits.replace(/[.,' ]/g, ''))
    if (Number.isFinite(whole)) found.push(whole)
    const decimal = Number(digits.replace(/[' ]/g, '').replace(',', '.'))
    if (Number.isFinite(decimal)) found.push(decimal)
  }
  found.push(
    ...foldText(passage)
      .split(' ')
      .flatMap(word => NUMBER_WORDS.get(word) ?? []),
  )
  const scales = [...lower.matchAll(/(?:\d|\b)([a-z]+)\b/g)].flatMap(match => SCALES.get(match[1]!) ?? [])
  return [...found, ...scales.flatMap(scale => found.map(each => Math.round(each * scale)))]
}
