import { type City, gazetteer } from './gazetteer.ts'
import { foldText } from './text.ts'
import { AREA_NAMES, AREAS, type Area } from './vocabulary.ts'

type AreaPlace = { area: Area }
export type NamedPlace = { country: string; region?: string; city?: string; radiusKm?: number }
export type Place = AreaPlace | NamedPlace

export interface PlaceReading {
  place: Place
  /** How likely this reading is when nothing else is known; comparable between readings of one name only. */
  weight: number
}

type PlaceResolution = { ok: true; place: Place } | { ok: false; reason: 'unknown' | 'ambiguous'; candidates: Place[] }

interface Point {
  lat: number
  lon: number
}

// Everyday names of the areas. Matched on folded text, so accents and hyphens do not matter.
const AREA_ALIASES: Record<Area, string> = {
  dach: 'dach, d a ch, d ach, german speaking countries, german speaking europe, deutschsprachiger raum, deutschsprachigen raum, deutschsprachige lander, region dach, germanophone, pays germanophones, paises de habla alemana, dach region, dach raum, dach countries',
  benelux: 'benelux, the benelux, bnl, low countries, benelux countries, benelux lander, benelux staaten',
  nordics:
    'nordics, the nordics, nordic, nordic countries, nordic region, nordische lander, nordischen landern, nordeuropa, northern europe, pays nordiques, nordique, nordiques, paises nordicos, nordico, nordicos, europe du nord, norte de europa',
  scandinavia:
    'scandinavia, scandinavian, skandinavien, skandinavisch, skandinavische, skandinavischen, scandinavie, scandinave, scandinaves, escandinavia, escandinavo, escandinavas, escandinavos, scandinavian countries',
  baltics:
    'baltics, the baltics, baltic, baltic states, baltic countries, baltikum, baltische staaten, baltischen staaten, pays baltes, baltique, paises balticos, balticos, estados balticos',
  iberia: 'iberia, iberian, iberian peninsula, iberische halbinsel, peninsule iberique, peninsula iberica, iberico, iberia region',
  uk_ireland:
    'uk and ireland, uki, uk ireland, british isles, united kingdom and ireland, uk i, uk roi, uk and roi, ireland and the uk, ireland and uk, grossbritannien und irland, royaume uni et irlande, reino unido e irlanda',
  anz: 'anz, australia and new zealand, australasia, aunz, au nz, australien und neuseeland',
  visegrad: 'visegrad, visegrad group, visegrad countries, v4, visegrad four, visegrad staaten',
  balkans: 'balkans, the balkans, balkan, balkan countries, western balkans, balkanlander, westbalkan, balcanes, les balkans',
  eu: 'eu, e u, european union, eu countries, eu wide, eu27, eu member states, europaische union, europaischen union, union europeenne, union europea, eu lander, eu raum, ue, within the eu, unione europea',
  europe:
    'europe, european, europa, europaisch, europaische, europaischen, europaischer, europaweit, europeen, europeenne, europeens, europeennes, europeo, europea, europeos, europeas, pan european, across europe, continental europe, mainland europe, europe wide',
  western_europe:
    'western europe, west europe, westeuropa, europe de l ouest, europe occidentale, europa occidental, western european, westeuropaische, europa del oeste',
  southern_europe:
    'southern europe, south europe, sudeuropa, suedeuropa, europe du sud, sur de europa, europa del sur, southern european, mediterranean europe',
  cee: 'cee, central and eastern europe, central eastern europe, eastern europe, east europe, central europe, osteuropa, mittel und osteuropa, mittelosteuropa, europe de l est, europe centrale et orientale, peco, europa del este, europa oriental, europa central y del este, eastern european, osteuropaische',
  middle_east:
    'middle east, the middle east, middle eastern, near east, naher osten, nahen osten, nahost, mittlerer osten, moyen orient, proche orient, oriente medio, medio oriente, oriente proximo',
  gcc: 'gcc, the gulf, gulf states, gulf countries, gulf region, golfstaaten, pays du golfe, paises del golfo, persian gulf, arabian gulf, gulf cooperation council, khaleej',
  mena: 'mena, middle east and north africa, mena region, moyen orient et afrique du nord, oriente medio y norte de africa, naher osten und nordafrika',
  africa:
    'africa, african, afrika, afrikanisch, afrikanische, afrikanischen, afrique, africain, africaine, africains, africaines, sub saharan africa, subsaharan africa, afrique subsaharienne, africano, africana, africanas, africanos',
  emea: 'emea, europe middle east and africa, emea region',
  apac: 'apac, asia pacific, asia pac, apj, asien pazifik, asie pacifique, asia pacifico, apac region, japac',
  asia: 'asia, asian, asien, asiatisch, asiatische, asiatischen, asie, asiatique, asiatiques, asiatico, asiaticas, asiaticos, far east',
  southeast_asia:
    'southeast asia, south east asia, southeast asian, sea region, asean, sudostasien, suedostasien, asie du sud est, sudeste asiatico, sureste asiatico, south eastern asia',
  latam:
    'latam, latin america, latin american, lateinamerika, lateinamerikanische, lateinamerikanischen, amerique latine, latino america, latinoamerica, america latina, iberoamerica, latinoamericano, latinoamericanas, latinoamericanos, hispanoamerica',
  south_america:
    'south america, south american, sudamerika, suedamerika, amerique du sud, sudamerica, suramerica, america del sur, america do sul',
  central_america:
    'central america, central american, mittelamerika, zentralamerika, amerique centrale, centroamerica, america central, centroamericano, centroamericanas',
  north_america:
    'north america, north american, nordamerika, nordamerikanische, amerique du nord, norteamerica, america del norte, namer, noram, nafta',
  us_canada:
    'us and canada, usa and canada, us canada, united states and canada, canada and the us, canada and the usa, usa und kanada, etats unis et canada, estados unidos y canada, us ca, us can',
  bay_area: 'bay area, the bay area, sf bay area, san francisco bay area, silicon valley, south bay, bay area california',
  new_england: 'new england, neuengland, nouvelle angleterre, nueva inglaterra',
  us_west_coast:
    'west coast, us west coast, west coast us, west coast usa, westkuste, us westkuste, cote ouest, costa oeste, western seaboard, pacific coast, west coast of the us',
  us_east_coast:
    'east coast, us east coast, east coast us, east coast usa, ostkuste, us ostkuste, cote est, costa este, eastern seaboard, atlantic coast, east coast of the us',
  us_midwest:
    'midwest, us midwest, midwestern, midwestern us, mid west, american midwest, mittlerer westen, medio oeste, midwest us, midwest states, midwestern states',
  us_south:
    'us south, southeast us, southeastern us, us southeast, southeast united states, southeastern united states, the southeast, american south, southern us, southern states, southern united states, deep south, the south of the us, sudstaaten, suedstaaten, southern usa, us southern states',
  pacific_northwest: 'pacific northwest, pnw, pacific north west, northwest us, us northwest, us pacific northwest',
  us_tri_state: 'tri state area, tri state, tristate, tristate area, ny tri state, new york tri state area, ny nj ct',
}

let areaIndex: Map<string, Area> | undefined

export function areaByName(folded: string): Area | undefined {
  if (!areaIndex) {
    areaIndex = new Map()
    for (const area of AREA_NAMES) {
      areaIndex.set(area.replaceAll('_', ' '), area)
      for (const alias of AREA_ALIASES[area].split(', ')) areaIndex.set(alias, area)
    }
  }
  return areaIndex.get(folded)
}

let areaStarts: Map<string, number> | undefined

/** The most words an area's name with this first word has, for readers that look for them in running text. */
export function areaReach(firstWord: string): number {
  if (!areaStarts) {
    areaByName('')
    areaStarts = new Map()
    for (const name of areaIndex!.keys()) {
      const words = name.split(' ')
      if ((areaStarts.get(words[0]!) ?? 0) < words.length) areaStarts.set(words[0]!, words.length)
    }
  }
  return areaStarts.get(firstWord) ?? 0
}

const placeOfCity = (city: City): NamedPlace =>
  // A region is written for the United States and Canada only, where people name it and where it tells cities apart.
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

export function expandArea(area: Area): NamedPlace[] {
  return AREAS[area].map(placeOfCode)
}

// Countries whose second-level regions people name in briefs (departments, counties, provinces).
const FAMILIAR_REGIONS = new Set('US CA GB DE FR ES IT AT CH NL BE PL BR MX AU IN IE PT SE NO DK FI CZ JP CN ZA AR NZ AE'.split(' '))

export const isFamiliarCountry = (code: string): boolean => FAMILIAR_REGIONS.has(code)

/** Where a state and a city of one name are both spoken of as such (New York, Oklahoma, Quebec). */
const NAMED_STATES = new Set(['US', 'CA', 'AU'])

/** A city and its region share a name: Prato, Wien (Vienna), Cluj (Cluj-Napoca). */
const isNamesake = (city: string, typed: string, region: string): boolean =>
  city === typed || city === region || city.startsWith(`${typed} `)

/** Every reading of a folded name: area, country, regions, cities, the likeliest first. */
export function readPlaceName(folded: string): readonly PlaceReading[] {
  const known = readNames.get(folded)
  if (known) return known
  // Texts repeat their places; the few names in use are remembered, and forgotten together when they become many.
  if (readNames.size >= 2000) readNames.clear()
  const readings = findReadings(folded)
  readNames.set(folded, readings)
  return readings
}

const readNames = new Map<string, readonly PlaceReading[]>()

/** Islands and coasts that are regions, and better known than any town of that name. */
const BEST_KNOWN_ISLANDS: ReadonlyMap<string, string> = new Map([
  ['bali', 'ID-BA'],
  ['crete', 'GR-M'],
  ['kreta', 'GR-M'],
  ['jeju', 'KR-49'],
  ['okinawa', 'JP-47'],
  ['phuket', 'TH-83'],
])

function findReadings(folded: string): PlaceReading[] {
  const readings: PlaceReading[] = []
  const data = gazetteer()
  const area = areaByName(folded)
  if (area) readings.push({ place: { area }, weight: 1e12 })
  const country = data.countryByName.get(folded)
  if (country) readings.push({ place: { country }, weight: 1e11 })
  const cities = data.citiesByName(folded)
  for (const code of data.regionsByName(folded)) {
    // A province named after its capital (Prato, Salzburg): the name alone means the city.
    if (
      !NAMED_STATES.has(code.slice(0, 2)) &&
      cities.some(
        city => regionWithin(city.region, code) && isNamesake(foldText(city.name), folded, foldText(data.regions.get(code)!.name)),
      )
    )
      continue
    const familiar = FAMILIAR_REGIONS.has(code.slice(0, 2))
    const top = data.regions.get(code)!.parent === undefined
    readings.push({ place: placeOfRegion(code), weight: top ? (familiar ? 4e6 : 2e5) : familiar ? 1.5e5 : 1e4 })
  }
  for (const city of cities) {
    // A city known by this very name outranks one that merely has it as a foreign or old name.
    const own = foldText(city.name) === folded
    readings.push({ place: placeOfCity(city), weight: Math.max(own ? city.population : city.population / 2, 1) })
  }
  const best = BEST_KNOWN_ISLANDS.get(folded) ?? data.bestKnown.get(folded)
  if (best) {
    const place = placeOfCode(best)
    const known = readings.find(reading => samePlace(reading.place, place))
    if (known) known.weight = Math.max(known.weight, 1e10) * 100
    else readings.push({ place, weight: 1e12 })
  }
  readings.sort((a, b) => b.weight - a.weight)
  return readings.filter((reading, index) => readings.findIndex(other => samePlace(other.place, reading.place)) === index)
}

export function samePlace(a: Place, b: Place): boolean {
  return placeKey(a) === placeKey(b)
}

/** A string equal for equal places; a city's region does not count where it is not written. */
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

/** The gazetteer's city for a place that names one: the most populous of that name in its country (and region). */
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

/** A code that stands alone: a country (DE, UK) or an ISO 3166-2 region (US-CA, DE-BY). */
function readPlaceCode(text: string): NamedPlace | undefined {
  const code = text.trim().toUpperCase()
  const data = gazetteer()
  const country = COUNTRY_CODE_ALIASES[code] ?? code
  if (data.countries.has(country)) return { country }
  return data.regions.has(code) ? placeOfRegion(code) : undefined
}

/** What follows a city after a comma: "TX", "Texas", "Germany", "DE". */
function readQualifier(text: string): NamedPlace[] {
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

interface PlaceContext {
  /** Places mentioned beside this one: they decide between readings of equal name. */
  near?: readonly Place[]
}

const COMMA = /\s*,\s*/

/**
 * A place from what someone typed into a filter. Never guesses: a name with several readings and no clear favourite is
 * refused with the candidates.
 */
export function resolvePlace(text: string, context: PlaceContext = {}): PlaceResolution {
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
  const readings = rankReadings(whole, context.near ?? [])
  const [first, second] = readings
  if (!first) return { ok: false, reason: 'unknown', candidates: nearestPlaces(folded) }
  if (second && first.weight < second.weight * 3) {
    return { ok: false, reason: 'ambiguous', candidates: readings.slice(0, 5).map(reading => reading.place) }
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

/** Readings weighed by the company they keep: one in the same region, country or neighbourhood as the others wins. */
export function rankReadings(readings: readonly PlaceReading[], near: readonly Place[]): PlaceReading[] {
  if (near.length === 0 || readings.length < 2) return [...readings]
  const countries = new Set<string>()
  let wholes = 0
  let regions = 0
  for (const place of near) {
    if ('area' in place) for (const member of expandArea(place.area)) countries.add(member.country)
    else {
      countries.add(place.country)
      if (place.region === undefined && place.city === undefined) wholes++
      if (place.region !== undefined && place.city === undefined) regions++
    }
  }
  return readings
    .map(reading => {
      if ('area' in reading.place) return reading
      let factor = countries.has(reading.place.country) ? 1e4 : 1
      const isRegion = reading.place.region !== undefined && reading.place.city === undefined
      const isCountry = reading.place.region === undefined && reading.place.city === undefined
      // Countries are listed with countries: "Georgia and Armenia", "Belgium and Luxembourg".
      if (isCountry && wholes > 0 && wholes === near.length) factor = 1e5
      if (isRegion && regions > 0 && factor > 1) factor *= 1e3
      return { place: reading.place, weight: reading.weight * factor }
    })
    .sort((a, b) => b.weight - a.weight)
}

function nearestPlaces(folded: string): Place[] {
  const first = folded.split(' ')[0]!
  const readings = folded.includes(' ') ? readPlaceName(first) : []
  return readings.slice(0, 3).map(reading => reading.place)
}

// ---- matching ----

export interface LeadPlace {
  country?: string | undefined
  region?: string | undefined
  city?: string | undefined
  point?: Point | undefined
}

const EARTH_RADIUS_KM = 6371.0088

export function distanceKm(a: Point, b: Point): number {
  const radians = Math.PI / 180
  const dLat = (b.lat - a.lat) * radians
  const dLon = (b.lon - a.lon) * radians
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * Math.sin(dLon / 2) ** 2
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** A test of lead places against one filter place; what can be looked up is looked up once. */
export function placeMatcher(place: Place): (lead: LeadPlace) => boolean {
  if ('area' in place) {
    const tests = expandArea(place.area).map(placeMatcher)
    return lead => tests.some(test => test(lead))
  }
  const { country, region, radiusKm } = place
  if (place.city === undefined) {
    if (region === undefined) return lead => lead.country === country
    return lead => lead.country === country && regionWithin(lead.region ?? regionOfLead(lead), region)
  }
  const city = foldText(cityOf(place)?.name ?? place.city)
  const centre = radiusKm === undefined ? undefined : cityOf(place)
  return lead => {
    if (centre && radiusKm !== undefined) {
      const point = lead.point ?? pointOfLead(lead)
      if (point) return distanceKm(centre, point) <= radiusKm
    }
    if (lead.country !== country || lead.city === undefined || canonicalCity(lead) !== city) return false
    return region === undefined || regionWithin(lead.region ?? regionOfLead(lead), region)
  }
}

function cityOfLead(lead: LeadPlace): City | undefined {
  if (lead.country === undefined || lead.city === undefined) return undefined
  const place: NamedPlace = { country: lead.country, city: lead.city }
  if (lead.region !== undefined) place.region = lead.region
  return cityOf(place)
}

const regionOfLead = (lead: LeadPlace) => cityOfLead(lead)?.region
const pointOfLead = (lead: LeadPlace): Point | undefined => cityOfLead(lead)
/** "München" and "Munich" are one city: compared by the gazetteer's name when it has one. */
const canonicalCity = (lead: LeadPlace) => foldText(cityOfLead(lead)?.name ?? lead.city ?? '')

/** What a person reads: "Munich, Germany", "California, United States", "DACH". */
export function placeLabel(place: Place): string {
  if ('area' in place) return place.area.replaceAll('_', ' ')
  const data = gazetteer()
  const country = data.countries.get(place.country)?.name ?? place.country
  const region = place.region === undefined ? undefined : (data.regions.get(place.region)?.name ?? place.region)
  return [place.city, region, country].filter(part => part !== undefined).join(', ')
}
