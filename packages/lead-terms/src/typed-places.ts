import { areaByName, areaNames } from './areas.ts'
import { gazetteer } from './gazetteer.ts'
import { readPhraseFile } from './phrase-file.ts'

/** Places that people write often, so that a typing error is likely to have meant one of them. */

/** Cities of half a million and more, and well-known smaller ones, are worth a repair; villages are not. */
const TYPED_CITIES = new Set(readPhraseFile(new URL('../data/typed-cities.txt', import.meta.url)).flatMap(([, names]) => names))
const TYPED_COUNTRIES = 'US CA GB DE AT ES FR IT AU'.split(' ')

/** A country, a region, an area, or a city that people mistype. */
export function isTypedPlace(word: string): boolean {
  const data = gazetteer()
  return (
    data.countryByName.has(word) ||
    data.countryByDemonym.has(word) ||
    TYPED_CITIES.has(word) ||
    areaByName(word) !== undefined ||
    data.regionsByName(word).length > 0
  )
}

/** A word in lower case is a place only if many know it. */
export const isTown = (word: string): boolean =>
  isTypedPlace(word) ||
  gazetteer()
    .citiesByName(word)
    .some(({ population }) => population > 20_000)

/** The words of such places with this first letter. */
export function typedPlaceWords(letter: string): string[] {
  const data = gazetteer()
  const names = [...data.countryByName.names(), ...data.countryByDemonym.names(), ...TYPED_CITIES].filter(name => !name.includes(' '))
  const parts = [...areaNames()].flatMap(name => name.split(' '))
  return [...[...names, ...parts].filter(word => word[0] === letter), ...data.regionNamesOf(letter, TYPED_COUNTRIES)]
}
