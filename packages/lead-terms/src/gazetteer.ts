import fs from 'node:fs'
import { SortedNames } from './sorted-names.ts'

/**
 * The place data. Countries and regions are read into memory on first use. Cities stay in a sorted text, in which a name is found by binary
 * search: there is no index to build, so the first question takes milliseconds.
 */

interface Country {
  code: string
  name: string
}

interface Region {
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
  countries: [code: string, name: string][]
  /** One region a line: code, name, code of the region above. */
  regions: string
  bestKnown: Record<string, string>
  lonely: string[]
}

interface Gazetteer {
  countries: ReadonlyMap<string, Country>
  regions: { has(code: string): boolean; get(code: string): Region | undefined }
  /** Folded name -> country code. */
  countryByName: SortedNames
  /** Folded adjective ("german", "deutsche") -> country code. */
  countryByDemonym: SortedNames
  /** Region codes of a folded name, the higher level first. */
  regionsByName(folded: string): readonly string[]
  /** The one-word folded names with this first letter that regions of these countries have. */
  regionNamesOf(letter: string, countries: readonly string[]): Iterable<string>
  /** Folded name -> the default reading: a country, a region, or region:City / country:City. */
  bestKnown: ReadonlyMap<string, string>
  /** Folded names that are also everyday words. */
  lonely: ReadonlySet<string>
  citiesByName(folded: string): readonly City[]
  /** First word of a name -> the number of words of the longest name that begins with it: how far a reader must look ahead. */
  reach(firstWord: string): number
}

/** The number of codes to remember; when there are more, all are forgotten together. */
const MOST_REMEMBERED = 5000
const NO_CODES: readonly string[] = []
const REGION_CODE = /^[A-Z]{2}-[A-Z0-9]{1,3}$/

let loaded: Gazetteer | undefined

export function gazetteer(): Gazetteer {
  loaded ??= loadGazetteer()
  return loaded
}

const dataFile = (name: string): URL => new URL(`../data/${name}`, import.meta.url)

function loadGazetteer(): Gazetteer {
  const file = JSON.parse(fs.readFileSync(dataFile('gazetteer.data.json'), 'utf8')) as GazetteerFile
  const regionNames = new SortedNames(dataFile('region-names.data.txt'))
  const cityNames = new SortedNames(dataFile('city-names.data.txt'))

  const countryByName = new SortedNames(dataFile('country-names.data.txt'))
  const countryByDemonym = new SortedNames(dataFile('demonyms.data.txt'))
  const countries = new Map(file.countries.map(([code, name]) => [code, { code, name }]))

  const lists = [countryByName, countryByDemonym, regionNames, cityNames]

  // A region stays a line of text until it is requested.
  const regionLines = file.regions.split('\n')
  const codeOfLine = (line: string) => line.slice(0, line.indexOf('\t'))
  const regionText = `\n${file.regions}\n`
  const readRegions = new Map<string, Region | undefined>()
  const readRegion = (code: string): Region | undefined => {
    // Texts ask with all kinds of letters, and to look through all regions for each of them takes long.
    if (!REGION_CODE.test(code)) return undefined
    if (readRegions.has(code)) return readRegions.get(code)
    const at = regionText.indexOf(`\n${code}\t`)
    const [, name, parent] = at < 0 ? [] : regionText.slice(at + 1, regionText.indexOf('\n', at + 1)).split('\t')
    const region = name === undefined ? undefined : { code, name, country: code.slice(0, 2), parent: parent || undefined }
    if (readRegions.size >= MOST_REMEMBERED) readRegions.clear()
    readRegions.set(code, region)
    return region
  }

  let rows: Buffer | undefined
  const readCity = (offset: number): City => {
    rows ??= fs.readFileSync(dataFile('cities.data.txt'))
    const row = rows.toString('utf8', offset, rows.indexOf('\n', offset))
    const [name, country, region, population, lat, lon] = row.split('\t') as [string, ...string[]]
    return {
      name,
      country: country!,
      region: region === '' ? undefined : codeOfLine(regionLines[Number(region)]!),
      population: Number(population),
      lat: Number(lat),
      lon: Number(lon),
    }
  }

  return {
    countries,
    regions: { has: code => readRegion(code) !== undefined, get: readRegion },
    countryByName,
    countryByDemonym,
    regionsByName: folded => regionNames.get(folded)?.split(',') ?? NO_CODES,
    regionNamesOf: (letter, countries) => regionNames.matching(new RegExp(`\n(${letter}[a-z]+)\t[^\n]*?(?:${countries.join('|')})-`, 'g')),
    bestKnown: new Map(Object.entries(file.bestKnown)),
    lonely: new Set(file.lonely),
    reach: firstWord => Math.max(...lists.map(names => names.reach(firstWord))),
    citiesByName(folded) {
      const offsets = cityNames.get(folded)
      return offsets === undefined ? [] : offsets.split(',').map(offset => readCity(Number(offset)))
    },
  }
}
