import type { City } from './gazetteer.ts'
import { cityOf, expandArea, type NamedPlace, type Place, type Point, regionWithin } from './places.ts'
import { foldText } from './text.ts'

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

/** A test of lead places against one filter place. Lookups are made once, in advance. */
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
/** "München" and "Munich" are one city: both are compared by the name in the gazetteer, if it has one. */
const canonicalCity = (lead: LeadPlace) => foldText(cityOfLead(lead)?.name ?? lead.city ?? '')
