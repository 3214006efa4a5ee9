import { cityOf, gazetteer, type NamedPlace, resolvePlace } from '#lead-terms'
import { copyOf } from './person-values.ts'
import type { NewPlace } from './schema.ts'

const PLACE_CACHE_LIMIT = 50_000
const placeCache = new Map<string, NewPlace | null>()

/** Expects the parts from the narrowest to the widest. A place that cannot be found as a whole is looked up without its narrowest part. */
export function findPlace(parts: string[]): NewPlace | null {
  const key = parts.join(', ')
  const known = placeCache.get(key)
  if (known !== undefined) return known
  let found: NewPlace | null = null
  for (let from = 0; from < parts.length && !found; from++) {
    const resolution = resolvePlace(parts.slice(from).join(', '))
    if (resolution.ok && !('area' in resolution.place)) found = newPlace(resolution.place)
    else if (from === 0 && parts.length === 3) {
      const short = resolvePlace(`${parts[0]}, ${parts[2]}`)
      if (short.ok && !('area' in short.place)) found = newPlace(short.place)
    }
  }
  if (placeCache.size >= PLACE_CACHE_LIMIT) placeCache.clear()
  placeCache.set(copyOf(key), found)
  return found
}

/** The form that the directory stores: the gazetteer's name, with region and coordinates, so that a search needs no lookup. */
export function newPlace(place: NamedPlace): NewPlace {
  const city = place.city === undefined ? undefined : cityOf(place)
  const region = city?.region ?? place.region ?? null
  const name = city?.name ?? place.city ?? null
  const code = gazetteer().countries.get(place.country)?.code ?? place.country
  return {
    key: `${code}|${region ?? ''}|${name ?? ''}`,
    country: code,
    region,
    city: name,
    lat: city?.lat ?? null,
    lon: city?.lon ?? null,
  }
}
