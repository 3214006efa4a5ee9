import { AREA_NAMES, type Area } from './vocabulary.ts'

/** Everyday names of the areas. Matched on folded text, so accents and hyphens do not matter. */
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

/** Every name of an area. */
export function areaNames(): Iterable<string> {
  areaByName('')
  return areaIndex!.keys()
}

let areaStarts: Map<string, number> | undefined

/** The number of words of the longest area name with this first word, for readers that look for names in running text. */
export function areaReach(firstWord: string): number {
  if (!areaStarts) {
    areaStarts = new Map()
    for (const name of areaNames()) {
      const words = name.split(' ')
      if ((areaStarts.get(words[0]!) ?? 0) < words.length) areaStarts.set(words[0]!, words.length)
    }
  }
  return areaStarts.get(firstWord) ?? 0
}
