import { editDistance } from './text.ts'

/** How near words are to each other when fingers slip. */

const VOWELS = 'aeiouy'
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']
/** Letters that sound alike: typed, then meant. */
const SOUNDS = new Set('f>ph ph>f x>cs cs>x k>ck ck>k k>qu c>ck y>ie ie>y k>ch ch>k s>ss z>tz tz>z s>sc qu>k'.split(' '))

/** Two neighboring letters changed places: the commonest slip of all. */
export const SWAPPED = 0.71

/** The cost of one slip of the fingers, the commonest kinds least. Two slips are no slip of this word. */
export function slipCost(word: string, target: string): number {
  const shorter = Math.min(word.length, target.length)
  let first = 0
  while (first < shorter && word.charCodeAt(first) === target.charCodeAt(first)) first++
  let last = 0
  while (last < shorter - first && word.charCodeAt(word.length - 1 - last) === target.charCodeAt(target.length - 1 - last)) last++
  const typed = word.slice(first, word.length - last)
  const meant = target.slice(first, target.length - last)
  if (typed.length > 2 || meant.length > 2) return Infinity
  if (typed.length === 2 && meant.length === 2) return typed[0] === meant[1] && typed[1] === meant[0] ? SWAPPED : Infinity
  // A letter too many, or one that is missing: doubled ones are written wrong most often.
  if (typed === '' || meant === '') {
    const letter = typed + meant
    if (letter.length !== 1) return letter.length === 0 ? 0 : Infinity
    return letter === word[first - 1] ? 0.7 : typed === '' ? 0.9 : 1
  }
  if (typed.length === 2 || meant.length === 2) return SOUNDS.has(`${typed}>${meant}`) ? 0.9 : Infinity
  if (VOWELS.includes(typed) && VOWELS.includes(meant)) return 0.85
  return areNeighbours(typed, meant) ? 0.9 : first === 0 ? Infinity : 1.1
}

/** The cost of typing a word instead of the intended one. Two slips need a long word on both sides, or everything resembles something. */
export function meantCost(word: string, target: string): number {
  const cost = slipCost(word, target)
  return cost === Infinity && word.length > 8 && target.length > 8 && editDistance(word, target, 2) === 2 ? 2 : cost
}

const areNeighbours = (one: string, other: string): boolean =>
  ROWS.some(row => row.includes(one) && row.includes(other) && Math.abs(row.indexOf(one) - row.indexOf(other)) === 1)

/** One bit for each letter that occurs. */
export function letterSet(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) - 97)
  return letters
}

export function bitCount(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}

/** Whether a text has a word as it stands: one look through the text costs less than sorting its words. */
export function containsWord(text: string, word: string): boolean {
  if (!PLAIN.test(word)) return false
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    if (!isLetter(text.charCodeAt(at - 1)) && !isLetter(text.charCodeAt(at + word.length))) return true
  return false
}
export const PLAIN = /^[a-z]+$/
const isLetter = (code: number): boolean => code >= 97 && code <= 122
