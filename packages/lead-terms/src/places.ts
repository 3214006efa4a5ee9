import { areaByName } from './areas.ts'
import { type City, gazetteer } from './gazetteer.ts'
import { foldText } from './text.ts'
import { AREAS, type Area } from './vocabulary.ts'

type AreaPlace = { area: Area }
export type NamedPlace = { country: string; region?: string; city?: string; radiusKm?: number }
export type Place = AreaPlace | NamedPlace

export interface PlaceReading {
  place: Place
  /** How likely this reading is without further context; comparable only between readings of one name. */
  weight: number
  /** How many people live there, roughly for what is no city: comparable between names. */
  size?: number
  city?: City
}

type PlaceResolution = { ok: true; place: Place } | { ok: false; reason: 'unknown' | 'ambiguous'; candidates: Place[] }

export interface Point {
  lat: number
  lon: number
}

const placeOfCity = (city: City): NamedPlace =>
  // The region is written only for the United States and Canada, where people use it to distinguish cities.
  (city.country === 'US' || city.country === 'CA') && city.region
    ? { country: city.country, region: city.region, city: city.name }
    : { country: city.country, city: city.name }

const placeOfRegion = (code: string): NamedPlace => ({ country: code.slice(0, 2), region: code })

/** "US-NY:New York", "GB:London", "US-GA", "GE" -> a place. */
export function placeOfCode(code: string): NamedPlace {
  const [where, city] = code.split(':') as [string, string?]
  const base = where.includes('-') ? placeOfRegion(where) : { country: where }
  return city === undefined ? base : { ...base, city }
}

export const expandArea = (area: Area): NamedPlace[] => AREAS[area].map(placeOfCode)

// Countries whose second-level regions people name in briefs (departments, counties, provinces).
const FAMILIAR_REGIONS = new Set('US CA GB DE FR ES IT AT CH NL BE PL BR MX AU IN IE PT SE NO DK FI CZ JP CN ZA AR NZ AE'.split(' '))

export const isFamiliarCountry = (code: string): boolean => FAMILIAR_REGIONS.has(code)

/** Countries in which a state and a city of the same name are both in common use (New York, Oklahoma, Quebec). */
const NAMED_STATES = new Set(['US', 'CA', 'AU'])

/** Whether a city and its region share a name: Prato, Wien (Vienna), Cluj (Cluj-Napoca). */
const isNamesake = (city: string, typed: string, region: string): boolean =>
  city === typed || city === region || city.startsWith(`${typed} `)

/** The weight of a reading that must be asked for: the province of a town. */
export const LEAST = 1

/** All readings of a folded name: area, country, regions, cities; the most likely first. */
export function readPlaceName(folded: string): readonly PlaceReading[] {
  const known = readNames.get(folded)
  if (known) return known
  // Texts repeat their places, so recent names are remembered; when there are too many, all are forgotten together.
  if (readNames.size >= 2000) readNames.clear()
  const readings = findReadings(folded)
  readNames.set(folded, readings)
  return readings
}

const readNames = new Map<string, readonly PlaceReading[]>()

function findReadings(folded: string): PlaceReading[] {
  const readings: PlaceReading[] = []
  const data = gazetteer()
  const area = areaByName(folded)
  if (area) readings.push({ place: { area }, weight: 1e12 })
  const country = data.countryByName.get(folded)
  if (country) readings.push({ place: { country }, weight: 1e11, size: 2e7 })
  const cities = data.citiesByName(folded)
  for (const code of data.regionsByName(folded)) {
    // A province that is named after its capital (Prato, Salzburg): the name alone means the city.
    const isCapitals =
      !NAMED_STATES.has(code.slice(0, 2)) &&
      cities.some(
        city => regionWithin(city.region, code) && isNamesake(foldText(city.name), folded, foldText(data.regions.get(code)!.name)),
      )
    const familiar = FAMILIAR_REGIONS.has(code.slice(0, 2))
    const top = data.regions.get(code)!.parent === undefined
    const size = isCapitals ? LEAST : top ? (familiar ? 4e6 : 2e5) : familiar ? 1.5e5 : 1e4
    readings.push({ place: placeOfRegion(code), weight: size, size })
  }
  for (const city of cities) {
    // A city with this main name is more likely than a city with this foreign or old name.
    const own = foldText(city.name) === folded
    const weight = Math.max(own ? city.population : city.population / 2, LEAST)
    readings.push({
      place: placeOfCity(city),
      weight,
      size: own || foldText(city.name).startsWith(`${folded} `) ? weight : weight / 3,
      city,
    })
  }
  const best = data.bestKnown.get(folded)
  if (best) {
    const place = placeOfCode(best)
    const known = readings.find(reading => samePlace(reading.place, place))
    if (known) known.weight = Math.max(known.weight, 1e10) * 100
    else readings.push({ place, weight: 1e12 })
    if (known && !known.city && known.size! < 4e6) known.size = 4e6
  }
  readings.sort((a, b) => b.weight - a.weight)
  return readings.filter((reading, index) => readings.findIndex(other => samePlace(other.place, reading.place)) === index)
}

export function samePlace(a: Place, b: Place): boolean {
  return placeKey(a) === placeKey(b)
}

/** A key that is equal for equal places; the region of a city counts only where it is written. */
export function placeKey(place: Place): string {
  if ('area' in place) return `area:${place.area}`
  const radius = place.radiusKm === undefined ? '' : `@${place.radiusKm}`
  return `${place.country}|${place.region ?? ''}|${place.city === undefined ? '' : foldText(place.city)}${radius}`
}

/** Whether a place lies within another: a city in its region or country, a region in its country, all in an area. */
export function placeWithin(inner: Place, outer: Place): boolean {
  if ('area' in outer) {
    if ('area' in inner) return inner.area === outer.area
    return expandArea(outer.area).some(member => placeWithin(inner, member))
  }
  if ('area' in inner) return false
  if (inner.country !== outer.country) return false
  if (outer.region !== undefined && !regionWithin(regionOfPlace(inner), outer.region)) return false
  return outer.city === undefined || (inner.city !== undefined && foldText(inner.city) === foldText(outer.city))
}

export function regionWithin(inner: string | undefined, outer: string): boolean {
  const regions = gazetteer().regions
  for (let code = inner; code !== undefined; code = regions.get(code)?.parent) if (code === outer) return true
  return false
}

function regionOfPlace(place: NamedPlace): string | undefined {
  return place.region ?? cityOf(place)?.region
}

/** The city of a place in the gazetteer: the largest of that name in its country (and region). */
export function cityOf(place: NamedPlace): City | undefined {
  if (place.city === undefined) return undefined
  let best: City | undefined
  for (const city of gazetteer().citiesByName(foldText(place.city))) {
    if (city.country !== place.country) continue
    if (place.region !== undefined && !regionWithin(city.region, place.region)) continue
    if (!best || city.population > best.population) best = city
  }
  return best
}

const US_CODES = /^[A-Z]{2}$/
const COUNTRY_CODE_ALIASES: Record<string, string> = { UK: 'GB', USA: 'US', UAE: 'AE', KSA: 'SA', EL: 'GR' }

/** A code without further words: a country (DE, UK) or an ISO 3166-2 region (US-CA, DE-BY). */
function readPlaceCode(text: string): NamedPlace | undefined {
  const code = text.trim().toUpperCase()
  const data = gazetteer()
  const country = COUNTRY_CODE_ALIASES[code] ?? code
  if (data.countries.has(country)) return { country }
  return data.regions.has(code) ? placeOfRegion(code) : undefined
}

/** The text after a city and a comma: "TX", "Texas", "Germany", "DE". */
export function readQualifier(text: string): NamedPlace[] {
  const code = text.trim().toUpperCase()
  const data = gazetteer()
  const found: NamedPlace[] = []
  if (US_CODES.test(code)) {
    for (const country of ['US', 'CA', 'AU']) {
      if (data.regions.has(`${country}-${code}`)) found.push(placeOfRegion(`${country}-${code}`))
    }
  } else if (data.regions.has(`AU-${code}`)) found.push(placeOfRegion(`AU-${code}`))
  const byCode = readPlaceCode(text)
  if (byCode) found.push(byCode)
  for (const { place } of readPlaceName(foldText(text))) if (!('area' in place) && place.city === undefined) found.push(place)
  return found
}

const COMMA = /\s*,\s*/

/**
 * Reads a place that a person typed into a filter. It never guesses: a name with several readings and no clear favourite is refused, with
 * the candidates.
 */
export function resolvePlace(text: string): PlaceResolution {
  const folded = foldText(text)
  if (folded === '') return { ok: false, reason: 'unknown', candidates: [] }
  const whole = readPlaceName(folded)
  const code = /^[A-Za-z]{2}(?:-[A-Za-z0-9]{1,3})?$|^[A-Z]{3}$/.test(text.trim()) ? readPlaceCode(text) : undefined
  if (code) return { ok: true, place: code }
  const parts = text.split(COMMA).filter(part => part !== '')
  if (whole.length === 0 && parts.length >= 2 && parts.length <= 3) {
    const qualified = resolveQualified(parts)
    if (qualified) return qualified
  }
  const [first, second] = whole
  if (!first) return { ok: false, reason: 'unknown', candidates: nearestPlaces(folded) }
  if (second && first.weight < second.weight * 3) {
    return { ok: false, reason: 'ambiguous', candidates: whole.slice(0, 5).map(reading => reading.place) }
  }
  return { ok: true, place: first.place }
}

function resolveQualified(parts: string[]): PlaceResolution | undefined {
  const readings = readPlaceName(foldText(parts[0]!))
  const qualifiers = parts.slice(1).map(readQualifier)
  for (const outer of qualifiers[0]!) {
    const found = readings.find(
      ({ place }) =>
        !('area' in place) &&
        !samePlace(place, outer) &&
        placeWithin(place, outer) &&
        qualifiers.slice(1).every(list => list.some(next => placeWithin(place, next))),
    )
    if (found) return { ok: true, place: found.place }
  }
  return undefined
}

function nearestPlaces(folded: string): Place[] {
  const first = folded.split(' ')[0]!
  const readings = folded.includes(' ') ? readPlaceName(first) : []
  return readings.slice(0, 3).map(reading => reading.place)
}

/** A place in words: "Munich, Germany", "California, United States", "DACH". */
export function placeLabel(place: Place): string {
  if ('area' in place) return place.area.replaceAll('_', ' ')
  const data = gazetteer()
  const country = data.countries.get(place.country)?.name ?? place.country
  const region = place.region === undefined ? undefined : (data.regions.get(place.region)?.name ?? place.region)
  return [place.city, region, country].filter(part => part !== undefined).join(', ')
}
