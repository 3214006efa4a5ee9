import fs from 'node:fs'
import { foldText } from './text.ts'

/**
 * The place data in memory. Read on first use (about a tenth of a second), shared by the whole process, never changed.
 */

export interface Country {
  code: string
  name: string
}

export interface Region {
  code: string
  name: string
  country: string
  /** The region above it (Var lies in Provence-Alpes-Côte d'Azur), if there is one. */
  parent: string | undefined
}

export interface City {
  name: string
  country: string
  region: string | undefined
  population: number
  lat: number
  lon: number
}

interface GazetteerFile {
  countries: [code: string, name: string, aliases: string, demonyms: string][]
  regions: [code: string, name: string, parent: string, aliases: string][]
  bestKnown: Record<string, string>
  lonely: string[]
  cities: string
}

export interface Gazetteer {
  countries: ReadonlyMap<string, Country>
  regions: ReadonlyMap<string, Region>
  /** Folded name -> country code. */
  countryByName: ReadonlyMap<string, string>
  /** Folded adjective ("german", "deutsche") -> country code. */
  countryByDemonym: ReadonlyMap<string, string>
  /** Folded name -> region codes, the higher level first. */
  regionsByName: ReadonlyMap<string, readonly string[]>
  /** Folded name -> what to read when nothing else decides: a country, a region, or region:City / country:City. */
  bestKnown: ReadonlyMap<string, string>
  /** Folded names that are also everyday words. */
  lonely: ReadonlySet<string>
  citiesByName(folded: string): readonly City[]
  /** First word of a name -> the most words a name with that beginning has: how far a reader must look ahead. */
  reach(firstWord: string): number
}

/** Names that no list of places has: islands that are most of a region, and adverbs for a whole country. */
const FURTHER_NAMES: Record<string, string> = {
  'ES-TF': 'tenerife|teneriffa',
  'ES-GC': 'gran canaria|grande canarie|lanzarote|fuerteventura',
  'ES-IB': 'mallorca|majorca|majorque|maiorca|menorca|minorca|minorque',
  DE: 'bundesweit|deutschlandweit|ganz deutschland',
  AT: 'osterreichweit|ganz osterreich',
  CH: 'schweizweit|ganze schweiz',
  FR: 'france entiere|toute la france|france metropolitaine',
  ES: 'toda espana|ambito nacional espana',
}

let loaded: Gazetteer | undefined

export function gazetteer(): Gazetteer {
  loaded ??= loadGazetteer()
  return loaded
}

function loadGazetteer(): Gazetteer {
  const text = fs.readFileSync(new URL('./data/gazetteer.data.json', import.meta.url), 'utf8')
  const file = JSON.parse(text) as GazetteerFile

  const countries = new Map<string, Country>()
  const countryByName = new Map<string, string>()
  const countryByDemonym = new Map<string, string>()
  for (const [code, name, aliases, demonyms] of file.countries) {
    countries.set(code, { code, name })
    countryByName.set(foldText(name), code)
    for (const alias of aliases.split('|')) if (alias && !countryByName.has(alias)) countryByName.set(alias, code)
    for (const demonym of demonyms.split('|')) {
      if (demonym && !countryByDemonym.has(demonym)) countryByDemonym.set(demonym, code)
    }
  }

  const regions = new Map<string, Region>()
  const regionsByName = new Map<string, string[]>()
  const regionCodes: string[] = []
  for (const [code, name, parent, aliases] of file.regions) {
    regionCodes.push(code)
    regions.set(code, { code, name, country: code.slice(0, 2), parent: parent || undefined })
    for (const key of aliases.split('|')) {
      const known = regionsByName.get(key)
      if (!known) regionsByName.set(key, [code])
      else if (parent === '') known.unshift(code)
      else known.push(code)
    }
  }

  for (const [code, names] of Object.entries(FURTHER_NAMES)) {
    const known = regions.has(code) ? (name: string) => regionsByName.set(name, [code, ...(regionsByName.get(name) ?? [])]) : undefined
    for (const name of names.split('|')) known ? known(name) : countryByName.set(name, code)
  }

  // Cities stay one line each until someone asks for that name: the index holds line offsets only.
  const lines = file.cities.split('\n')
  const index = new Map<string, number | number[]>()
  const add = (key: string, line: number) => {
    const known = index.get(key)
    if (known === undefined) index.set(key, line)
    else if (typeof known === 'number') {
      if (known !== line) index.set(key, [known, line])
    } else if (known.at(-1) !== line) known.push(line)
  }
  for (let number = 0; number < lines.length; number++) {
    const line = lines[number]!
    const names = line.slice(0, line.indexOf('\t'))
    if (names.includes('|')) for (const name of names.split('|')) add(name, number)
    else add(names, number)
  }
  // Names of several words only: those of one word are found by asking for them.
  const reach = new Map<string, number>()
  const nameMaps = [index, countryByName, countryByDemonym, regionsByName]
  for (const names of nameMaps) {
    for (const name of names.keys()) {
      const space = name.indexOf(' ')
      if (space < 0) continue
      const first = name.slice(0, space)
      let words = 1
      for (let at = space; at >= 0; at = name.indexOf(' ', at + 1)) words++
      if ((reach.get(first) ?? 0) < words) reach.set(first, words)
    }
  }
  const readCity = (number: number): City => {
    const [, name, country, region, population, lat, lon] = lines[number]!.split('\t') as [string, ...string[]]
    return {
      name: name!,
      country: country!,
      region: region === '' ? undefined : regionCodes[Number(region)],
      population: Number(population),
      lat: Number(lat),
      lon: Number(lon),
    }
  }

  return {
    countries,
    regions,
    countryByName,
    countryByDemonym,
    regionsByName,
    bestKnown: new Map(Object.entries(file.bestKnown)),
    lonely: new Set(file.lonely),
    reach: firstWord => reach.get(firstWord) ?? (nameMaps.some(names => names.has(firstWord)) ? 1 : 0),
    citiesByName(folded) {
      const found = index.get(folded)
      if (found === undefined) return []
      return typeof found === 'number' ? [readCity(found)] : found.map(readCity)
    },
  }
}
