import { foldText } from '../search/terms/text.ts'

export const PRESETS = new Set([9, 10, 49, 50, 249, 250, 999, 1000])
const SCALE: Record<string, number> = {
  k: 1e3,
  tsd: 1e3,
  thousand: 1e3,
  mil: 1e3,
  m: 1e6,
  mn: 1e6,
  mio: 1e6,
  million: 1e6,
  millions: 1e6,
  millionen: 1e6,
  millones: 1e6,
  bn: 1e9,
  billion: 1e9,
  mrd: 1e9,
  milliarden: 1e9,
  milliards: 1e9,
}
const SPELLED: Record<string, number> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  ten: 10,
  twelve: 12,
  twenty: 20,
  fifty: 50,
  hundred: 100,
  zehn: 10,
  zwanzig: 20,
  funfzig: 50,
  hundert: 100,
  dix: 10,
  vingt: 20,
  cinquante: 50,
  cent: 100,
  diez: 10,
  veinte: 20,
  cincuenta: 50,
  cien: 100,
}

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
  for (const each of foldText(passage).split(' ')) if (SPELLED[each] !== undefined) found.push(SPELLED[each]!)
  const scales = [
    ...lower.matchAll(/(?:\d|\b)(k|tsd|thousand|mil|mn|mio|millions?|millionen|millones|bn|billion|mrd|milliarden|milliards|m)\b/g),
  ].map(match => SCALE[match[1]!] ?? 1)
  return [...found, ...scales.flatMap(scale => found.map(each => Math.round(each * scale)))]
}
