import fs from 'node:fs'
import { SortedNames } from './sorted-names.ts'
import { foldText } from './text.ts'

/**
 * The place data. Countries and regions are read into memory on first use. Cities stay in a sorted text, in which a name is found by binary
 * search: there is no index to build, so the first question takes milliseconds.
 */

type Country = { code: string; name: string }

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
  countries: [code: string, name: string, aliases: string, demonyms: string][]
  /** One region a line: code, name, code of the region above. */
  regions: string
  bestKnown: Record<string, string>
  lonely: string[]
}

interface Gazetteer {
  countries: ReadonlyMap<string, Country>
  regions: { has(code: string): boolean; get(code: string): Region | undefined }
  /** Folded name -> country code. */
  countryByName: ReadonlyMap<string, string>
  /** Folded adjective ("german", "deutsche") -> country code. */
  countryByDemonym: ReadonlyMap<string, string>
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

/** Names that the lists of places lack: islands that are most of a region, and adverbs for a whole country. */
const FURTHER_NAMES: Record<string, string> = {
  'ES-TF': 'tenerife|teneriffa',
  'ES-GC': 'gran canaria|grande canarie|lanzarote|fuerteventura',
  'ES-IB': 'mallorca|majorca|majorque|maiorca|menorca|minorca|minorque',
  'GB-NIR': 'north ireland',
  DE: 'bundesweit|deutschlandweit|ganz deutschland',
  AT: 'osterreichweit|ganz osterreich',
  CH: 'schweizweit|ganze schweiz',
  FR: 'france entiere|toute la france|france metropolitaine',
  ES: 'toda espana|ambito nacional espana',
}

/** The number of codes to remember; when there are more, all are forgotten together. */
const MOST_REMEMBERED = 5000

let loaded: Gazetteer | undefined

export function gazetteer(): Gazetteer {
  loaded ??= loadGazetteer()
  return loaded
}

const dataFile = (name: string): URL => new URL(`./data/${name}`, import.meta.url)

function loadGazetteer(): Gazetteer {
  const file = JSON.parse(fs.readFileSync(dataFile('gazetteer.data.json'), 'utf8')) as GazetteerFile
  const regionNames = new SortedNames(dataFile('region-names.data.txt'))
  const cityNames = new SortedNames(dataFile('city-names.data.txt'))

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

  // A region stays a line of text until it is requested.
  const regionLines = file.regions.split('\n')
  const codeOfLine = (line: string) => line.slice(0, line.indexOf('\t'))
  const regionText = `\n${file.regions}\n`
  const readRegions = new Map<string, Region | undefined>()
  const readRegion = (code: string): Region | undefined => {
    if (readRegions.has(code)) return readRegions.get(code)
    const at = regionText.indexOf(`\n${code}\t`)
    const [, name, parent] = at < 0 ? [] : regionText.slice(at + 1, regionText.indexOf('\n', at + 1)).split('\t')
    const region = name === undefined ? undefined : { code, name, country: code.slice(0, 2), parent: parent || undefined }
    if (readRegions.size >= MOST_REMEMBERED) readRegions.clear()
    readRegions.set(code, region)
    return region
  }

  const furtherRegions = new Map<string, string>()
  for (const [code, names] of Object.entries(FURTHER_NAMES))
    for (const name of names.split('|')) (code.includes('-') ? furtherRegions : countryByName).set(name, code)

  // Only names of several words: one-word names are looked up directly.
  const reach = new Map<string, number>()
  for (const names of [countryByName, countryByDemonym, furtherRegions]) {
    for (const name of names.keys()) {
      const words = name.split(' ')
      if (words.length > (reach.get(words[0]!) ?? 0)) reach.set(words[0]!, words.length)
    }
  }
  const codesOf = (name: string, listed: string | undefined): readonly string[] => {
    const further = furtherRegions.get(name)
    return [...(further === undefined ? [] : [further]), ...(listed === undefined ? [] : listed.split(','))]
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
    regionsByName: folded => codesOf(folded, regionNames.get(folded)),
    regionNamesOf: (letter, countries) => regionNames.matching(new RegExp(`\n(${letter}[a-z]+)\t[^\n]*?(?:${countries.join('|')})-`, 'g')),
    bestKnown: new Map(Object.entries(file.bestKnown)),
    lonely: new Set(file.lonely),
    reach: firstWord => Math.max(reach.get(firstWord) ?? 0, regionNames.reach(firstWord), cityNames.reach(firstWord)),
    citiesByName(folded) {
      const offsets = cityNames.get(folded)
      return offsets === undefined ? [] : offsets.split(',').map(offset => readCity(Number(offset)))
    },
  }
}
