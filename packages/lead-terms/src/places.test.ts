import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gazetteer } from './gazetteer.ts'
import { distanceKm, placeMatcher } from './place-matching.ts'
import { cityOf, expandArea, placeWithin, resolvePlace } from './places.ts'
import { AREA_NAMES } from './vocabulary.ts'

const resolve = (text: string) => {
  const found = resolvePlace(text)
  return found.ok ? found.place : found.reason
}

test('countries, regions, cities and areas are found by their names in several languages', () => {
  assert.deepEqual(resolve('Deutschland'), { country: 'DE' })
  assert.deepEqual(resolve('Royaume-Uni'), { country: 'GB' })
  assert.deepEqual(resolve('Estados Unidos'), { country: 'US' })
  assert.deepEqual(resolve('Bayern'), { country: 'DE', region: 'DE-BY' })
  assert.deepEqual(resolve('Cataluña'), { country: 'ES', region: 'ES-CT' })
  assert.deepEqual(resolve('Île-de-France'), { country: 'FR', region: 'FR-IDF' })
  assert.deepEqual(resolve('München'), { country: 'DE', city: 'Munich' })
  assert.deepEqual(resolve('Genf'), { country: 'CH', city: 'Geneva' })
  assert.deepEqual(resolve('Nueva York'), { country: 'US', region: 'US-NY', city: 'New York' })
  assert.deepEqual(resolve('DACH'), { area: 'dach' })
})

test('a state or country after the comma says which city is meant', () => {
  assert.deepEqual(resolve('Austin, TX'), { country: 'US', region: 'US-TX', city: 'Austin' })
  assert.deepEqual(resolve('Dublin, Ohio'), { country: 'US', region: 'US-OH', city: 'Dublin' })
  assert.deepEqual(resolve('London, Ontario'), { country: 'CA', region: 'CA-ON', city: 'London' })
  assert.deepEqual(resolve('Paris, Texas, USA'), { country: 'US', region: 'US-TX', city: 'Paris' })
})

test('a name with one dominant meaning has that meaning', () => {
  assert.deepEqual(resolve('Paris'), { country: 'FR', city: 'Paris' })
  assert.deepEqual(resolve('Georgia'), { country: 'US', region: 'US-GA' })
  assert.deepEqual(resolve('Luxembourg'), { country: 'LU' })
})

test('a place is never guessed: unknown and ambiguous names are refused, the latter with candidates', () => {
  assert.equal(resolve('Xyzzyville'), 'unknown')
  const springfield = resolvePlace('Springfield')
  assert.ok(!springfield.ok && springfield.reason === 'ambiguous')
  assert.ok(springfield.candidates.length >= 2)
})

test('every area is made of places that the gazetteer knows', () => {
  const data = gazetteer()
  for (const area of AREA_NAMES) {
    for (const place of expandArea(area)) {
      assert.ok(data.countries.has(place.country), `${area}: ${place.country}`)
      if (place.region) assert.ok(data.regions.has(place.region), `${area}: ${place.region}`)
      if (place.city) assert.ok(cityOf(place), `${area}: ${place.city}`)
    }
  }
})

test('regions of the most frequent countries exist, with their ISO codes', () => {
  const { regions } = gazetteer()
  for (const code of [
    'US-CA',
    'CA-QC',
    'GB-SCT',
    'GB-DEV',
    'DE-BY',
    'FR-83',
    'FR-PAC',
    'ES-CT',
    'IT-25',
    'AT-7',
    'CH-ZH',
    'NL-NH',
    'BE-VLG',
    'PL-14',
    'BR-SP',
    'MX-JAL',
    'AU-NSW',
    'IN-KA',
  ]) {
    assert.ok(regions.has(code), code)
  }
})

test('a country matches any place in it, a region its cities, a city its other names', () => {
  const inProvence = placeMatcher({ country: 'FR', region: 'FR-PAC' })
  assert.equal(inProvence({ country: 'FR', city: 'Toulon' }), true)
  assert.equal(inProvence({ country: 'FR', city: 'Lille' }), false)
  assert.equal(placeMatcher({ country: 'DE', city: 'Munich' })({ country: 'DE', city: 'München' }), true)
  assert.equal(placeMatcher({ area: 'dach' })({ country: 'CH', city: 'Basel' }), true)
  assert.equal(placeMatcher({ country: 'US' })({}), false)
  assert.equal(placeWithin({ country: 'US', region: 'US-CA', city: 'Oakland' }, { area: 'bay_area' }), true)
})

test('a radius is measured along the great circle from the city', () => {
  const nearMunich = placeMatcher({ country: 'DE', city: 'Munich', radiusKm: 60 })
  assert.equal(nearMunich({ country: 'DE', city: 'Augsburg' }), true)
  assert.equal(nearMunich({ country: 'DE', city: 'Nuremberg' }), false)
  const [paris, london] = [cityOf({ country: 'FR', city: 'Paris' })!, cityOf({ country: 'GB', city: 'London' })!]
  assert.ok(Math.abs(distanceKm(paris, london) - 344) < 5)
})
