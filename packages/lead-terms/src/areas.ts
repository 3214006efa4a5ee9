import { readPhraseFile } from './phrase-file.ts'
import { AREA_NAMES, type Area } from './vocabulary.ts'

const NAMES = new URL('../data/areas.txt', import.meta.url)

let areaIndex: Map<string, Area> | undefined

export function areaByName(folded: string): Area | undefined {
  if (!areaIndex) {
    areaIndex = new Map()
    for (const area of AREA_NAMES) areaIndex.set(area.replaceAll('_', ' '), area)
    for (const [area, names] of readPhraseFile(NAMES)) for (const name of names) areaIndex.set(name, area as Area)
  }
  return areaIndex.get(folded)
}

/** Every name of an area. */
export function areaNames(): Iterable<string> {
  areaByName('')
  return areaIndex!.keys()
}

let areaStarts: Map<string, number> | undefined

/** The number of words of the longest area name with this first word, for readers that look for names in running text. */
export function areaReach(firstWord: string): number {
  if (!areaStarts) {
    areaStarts = new Map()
    for (const name of areaNames()) {
      const words = name.split(' ')
      if ((areaStarts.get(words[0]!) ?? 0) < words.length) areaStarts.set(words[0]!, words.length)
    }
  }
  return areaStarts.get(firstWord) ?? 0
}
