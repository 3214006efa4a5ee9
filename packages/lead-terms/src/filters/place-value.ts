import { gazetteer } from '../gazetteer.ts'
import { cityOf, type NamedPlace, type Place, placeLabel, regionWithin, resolvePlace } from '../places.ts'
import { AREA_NAMES } from '../vocabulary.ts'
import { FILTER_LIMITS } from './filter-schema.ts'
import { escapePointer, isRecord, type Report } from './report.ts'

/** Reads a place: `{area}`, `{country, region, city, radiusKm}`, or a name. Undefined when a problem was reported. */
export function readPlace(report: Report, value: unknown, path: string): Place | undefined {
  if (typeof value === 'string') return readPlaceText(report, value, path)
  if (!isRecord(value)) return report.issue(path, 'type', 'expected a place: {area}, {country, region, city, radiusKm}, or a name')
  const allowed = 'area' in value ? ['area'] : ['country', 'region', 'city', 'radiusKm']
  for (const key of Object.keys(value)) {
    if (!allowed.includes(key))
      return report.issue(
        `${path}/${escapePointer(key)}`,
        'unknownField',
        `a place has no "${key.slice(0, 60)}" beside ${allowed.join(', ')}`,
      )
  }
  if ('area' in value) {
    const area = report.word(value.area, `${path}/area`, AREA_NAMES)
    return area === undefined ? undefined : ({ area } as Place)
  }
  return readNamedPlace(report, value, path)
}

function readPlaceText(report: Report, text: string, path: string): Place | undefined {
  if (text.length > 200) return report.issue(path, 'tooLong', 'at most 200 characters are accepted for a place')
  const resolved = resolvePlace(text)
  if (resolved.ok) return resolved.place
  const candidates = resolved.candidates.map(place => ({ ...place, label: placeLabel(place) }))
  const what = resolved.reason === 'ambiguous' ? 'could be several places' : 'is not a known place'
  return report.issue(
    path,
    resolved.reason === 'ambiguous' ? 'ambiguousPlace' : 'unknownPlace',
    `"${text.slice(0, 80)}" ${what}`,
    candidates,
  )
}

function readNamedPlace(report: Report, value: Record<string, unknown>, path: string): Place | undefined {
  const data = gazetteer()
  const { country, region, city, radiusKm } = value
  if (typeof country !== 'string' || !data.countries.has(country))
    return report.issue(`${path}/country`, 'unknownPlace', 'expected an ISO 3166-1 alpha-2 country code')
  const place: NamedPlace = { country }
  if (region !== undefined) {
    if (typeof region !== 'string' || !data.regions.has(region))
      return report.issue(`${path}/region`, 'unknownPlace', 'expected an ISO 3166-2 code such as "DE-BY"')
    if (!region.startsWith(`${country}-`)) return report.issue(`${path}/region`, 'contradiction', `${region} is not in ${country}`)
    place.region = region
  }
  if (city !== undefined) {
    const name = report.text(city, `${path}/city`, FILTER_LIMITS.cityLength)
    if (name === undefined) return undefined
    place.city = canonicalCity(report, name, place)
  }
  if (radiusKm !== undefined) {
    if (place.city === undefined) return report.issue(`${path}/radiusKm`, 'contradiction', 'a radius needs a city')
    const radius = report.integer(radiusKm, `${path}/radiusKm`, 1, 500)
    if (radius === undefined) return undefined
    if (!cityOf(place)) return report.issue(`${path}/city`, 'unknownPlace', `we have no position for ${place.city}, so no radius around it`)
    place.radiusKm = radius
  }
  return place
}

/** The English name if the gazetteer has the city; otherwise the name as typed, with a warning. */
function canonicalCity(report: Report, name: string, place: NamedPlace): string {
  const city = cityOf({ ...place, city: name })
  if (!city) {
    report.warnings.push(`${name}, ${place.country} is not in the gazetteer: only leads with exactly this city name match`)
    return name
  }
  if (place.region === undefined && (city.country === 'US' || city.country === 'CA') && city.region) place.region = city.region
  else if (place.region !== undefined && !regionWithin(city.region, place.region)) return name
  return city.name
}
