import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AREA_NAMES, type Area, type Place, placeKey, placeOfCode, readPhraseFile } from '../../../lead-terms/src/index.ts'
import { readBrief } from '../read-brief.ts'

const keyOf = (code: string): string => placeKey(code.startsWith('@') ? { area: code.slice(1) as Area } : placeOfCode(code))
const keysOf = (places: readonly Place[] | undefined): string[] => (places ?? []).map(placeKey).sort()

/** Brief, the places that it asks for, those that it refuses. */
type Row = [brief: string, wanted: string, refused?: string]

function reads(rows: readonly Row[]): void {
  for (const [brief, wanted, refused = ''] of rows) {
    const { locations } = readBrief(brief).filters
    const codes = (list: string) => (list === '' ? [] : list.split('; ').map(keyOf).sort())
    assert.deepEqual(keysOf(locations?.include), codes(wanted), brief)
    assert.deepEqual(keysOf(locations?.exclude), codes(refused), brief)
  }
}

describe('informal place names', () => {
  it('include nicknames and airport codes', () =>
    reads([
      ['shop foremen around Tulsa and OKC', 'US-OK:Tulsa; US-OK:Oklahoma City'],
      ['estimators at home builders, Boise Idaho, Salt Lake, Reno', 'US-ID:Boise; US-UT:Salt Lake City; US-NV:Reno'],
      ['salon owners in indy and cincy', 'US-IN:Indianapolis; US-OH:Cincinnati'],
      ['seed founders in the Bay', '@bay_area'],
      ['directores comerciales en CDMX, GDL y MTY', 'MX:Mexico City; MX:Guadalajara; MX:Monterrey'],
      ['HR heads in BLR, Chennai & Pune', 'IN:Bengaluru; IN:Chennai; IN:Pune'],
      ['gerentes em Sampa, BH e Curitiba', 'BR:São Paulo; BR:Belo Horizonte; BR:Curitiba'],
    ]))

  it('keep another meaning of the same letters if no place is expected', () =>
    reads([
      ['MSPs and MSSPs in Texas', 'US-TX'],
      ['engineers working with STL files in Denver', 'US-CO:Denver'],
      ['firms working in CLT and timber construction in Oslo', 'NO:Oslo'],
      ['dentists in Nova Scotia', 'CA-NS'],
      ['tell me, hi, ok: CFOs in Rome', 'IT:Rome'],
    ]))

  it('are whole if only a part of the name is written', () =>
    reads([
      ['fleet managers, upstate NY', 'US-NY'],
      ['law firms in NE Ohio and SE Michigan', 'US-OH; US-MI'],
      ['plumbers in South Jersey', 'US-NJ'],
      ['growers in the interior of BC', 'CA-BC'],
      ['Zahnärzte in Nordbayern und Westösterreich', 'DE-BY; AT'],
      ['Zahnärzte im Süden Frankreichs', 'FR'],
      ['fazendas no oeste da Bahia', 'BR-BA'],
    ]))

  it('are states in a list of codes', () =>
    reads([
      ['branch managers. TX LA AR MS.', 'US-TX; US-LA; US-AR; US-MS'],
      ['billing managers in pa, md, de', 'US-PA; US-MD; US-DE'],
      ['roofers in LA and MS', 'US-LA; US-MS'],
      ['roofers in LA, CA', 'US-CA:Los Angeles'],
      ['roofers in LA and NYC', 'US-CA:Los Angeles; US-NY:New York'],
    ]))

  it('can have their article within a French preposition', () =>
    reads([
      ['piscines à Nantes et au Mans', 'FR:Nantes; FR:Le Mans'],
      ['PME du Havre', 'FR:Le Havre'],
      ["agences aux Sables-d'Olonne", "FR:Les Sables-d'Olonne"],
      ['agences au Canada', 'CA'],
    ]))
})

describe('a bigger place', () => {
  it('gives way to following places within it', () =>
    reads([
      ['dental clinics in the Maritimes: Halifax, Moncton', 'CA-NS:Halifax; CA-NB:Moncton'],
      ['We go into Scotland next: care homes in Glasgow and Aberdeen', 'GB:Glasgow; GB:Aberdeen'],
      ['abattoirs, Grand Ouest (Bretagne + Pays de la Loire)', 'FR-BRE; FR-PDL'],
      ["marinas cote d'azur — Antibes, Cannes", 'FR:Antibes; FR:Cannes'],
      ['care homes, Yorkshire-ish: leeds sheffield york hull', 'GB:Leeds; GB:Sheffield; GB:York; GB:Kingston upon Hull'],
      ['Kanzleien in NRW: Köln, Düsseldorf', 'DE:Cologne; DE:Düsseldorf'],
      ['CTOs in France, Paris', 'FR:Paris'],
      ['agencies in Springfield, Illinois, US', 'US-IL:Springfield'],
    ]))

  it('stays if it is in a list, or if a part is only preferred or refused', () =>
    reads([
      ['CTOs in Germany and Berlin', 'DE; DE:Berlin'],
      ['CTOs in Germany, Berlin and Austria', 'DE; DE:Berlin; AT'],
      ['Florida (Miami preferred) HR managers', 'US-FL; US-FL:Miami'],
      ['CTOs in Texas: not Houston', 'US-TX', 'US-TX:Houston'],
      ['CTOs in Italy (Rome excluded)', 'IT', 'IT:Rome'],
    ]))

  it('that is refused is not requested by its towns, which are reported', () => {
    reads([['CFOs in Ohio. No companies in Texas: Dallas, Houston', 'US-OH', 'US-TX']])
    assert.match(readBrief('CFOs in Ohio. No companies in Texas: Dallas, Houston').unmatched.join(), /Dallas.*Houston/)
    reads([['CFOs, not Berlin - Munich', 'DE:Munich', 'DE:Berlin']])
  })
})

describe('an ambiguous place name', () => {
  it('means the one near the rest of its list', () =>
    reads([
      ['letting agents in Perth, Dundee and Stirling', 'GB:Perth; GB:Dundee; GB:Stirling'],
      ['Einkäufer in Perth und Edinburgh', 'GB:Perth; GB:Edinburgh'],
      ['facility managers in Springfield, Peoria and Decatur', 'US-IL:Springfield; US-IL:Peoria; US-IL:Decatur'],
      ['bakeries in Arlington, Alexandria and Bethesda', 'US-VA:Arlington; US-VA:Alexandria; US-MD:Bethesda'],
      ['bakeries in Arlington, Irving and Garland', 'US-TX:Arlington; US-TX:Irving; US-TX:Garland'],
      ['CFOs in Boston and Cambridge', 'US-MA:Boston; US-MA:Cambridge'],
      ['CFOs in Lebanon, Murfreesboro and Nashville', 'US-TN:Lebanon; US-TN:Murfreesboro; US-TN:Nashville'],
      ['distributors in Cornwall, Kingston and Brockville', 'CA-ON:Cornwall; CA-ON:Kingston; CA-ON:Brockville'],
      ['talleres en Mérida, Cáceres y Badajoz', 'ES:Mérida; ES:Cáceres; ES:Badajoz'],
      ['talleres en Mérida, Cancún y Campeche', 'MX:Mérida; MX:Cancún; MX:Campeche'],
      ['garages à Laval, Angers et Le Mans', 'FR:Laval; FR:Angers; FR:Le Mans'],
      ['Werkstätten in Freiburg, Bern und Thun', 'CH:Fribourg; CH:Bern; CH:Thun'],
    ]))

  it('means the best known one by default', () =>
    reads([
      ['CFOs in NYC & Toronto', 'US-NY:New York; CA-ON:Toronto'],
      ['CFOs in London, Paris and Boston', 'GB:London; FR:Paris; US-MA:Boston'],
      ['CFOs in Toronto and London', 'CA-ON:Toronto; GB:London'],
      ['CFOs in Portland, Seattle and Vancouver', 'US-OR:Portland; US-WA:Seattle; CA-BC:Vancouver'],
      ['CFOs in Kansas City and Overland Park', 'US-MO:Kansas City; US-KS:Overland Park'],
      ['CFOs in Luxembourg, Brussels and Liège', 'LU; BE:Brussels; BE:Liège'],
      ['Indian IT firms in London', 'IN; GB:London'],
    ]))

  it('means the one in the country or region that the brief names', () =>
    reads([
      ['British letting agents in Boston', 'GB:Boston'],
      ['estate agents, Perth, Dundee; UK only', 'GB:Perth; GB:Dundee'],
      ['care homes, England: Durham, Washington', 'GB:Durham; GB:Washington'],
      ['care managers in Washington, Durham and Sunderland (north east of England)', 'GB:Washington; GB:Durham; GB:Sunderland'],
      ['dentists in Ontario: London, Cambridge, Kingston', 'CA-ON:London; CA-ON:Cambridge; CA-ON:Kingston'],
      ['agronomists in Córdoba and Rosario, Argentina', 'AR:Córdoba; AR:Rosario'],
      ['CTOs in Cambridge (Massachusetts), Oxford and London', 'US-MA:Cambridge; GB:Oxford; GB:London'],
      ['Autohäuser OWL, also Bielefeld, Gütersloh, Herford', 'DE:Bielefeld; DE:Gütersloh; DE:Herford'],
      ['clinics in Texas except Paris and Athens', 'US-TX', 'US-TX:Paris; US-TX:Athens'],
      ['accountants, UK without Boston', 'GB', 'GB:Boston'],
      ['dentists in London, not Ontario', 'GB:London', 'CA-ON'],
    ]))

  it('means a place of the kind that its list has', () =>
    reads([
      ['plants in the Midwest or Ontario', '@us_midwest; CA-ON'],
      ['plants in the US and Ontario', 'US; CA-ON'],
      ['caterers in the Inland Empire: Riverside, Ontario, Corona', 'US-CA:Riverside; US-CA:Ontario; US-CA:Corona'],
      ['growers in New York, Pennsylvania and Ohio', 'US-NY; US-PA; US-OH'],
      ['law firms in Washington, Philadelphia and Boston', 'US-DC:Washington; US-PA:Philadelphia; US-MA:Boston'],
      ['hotels in Georgia, Armenia and Azerbaijan', 'GE; AM; AZ'],
      ['distributors in Norfolk and Suffolk', 'GB-NFK; GB-SFK'],
      ['realtors in Surrey, Burnaby and Richmond', 'CA-BC:Surrey; CA-BC:Burnaby; CA-BC:Richmond'],
      ['mine managers, WA and QLD', 'AU-WA; AU-QLD'],
    ]))

  it('means the described one', () =>
    reads([
      ['Georgia (the country), winemakers', 'GE'],
      ['dealers. Country: Georgia', 'GE'],
      ['law firms in New York (the state)', 'US-NY'],
      ['revendeurs dans les cantons de Fribourg et de Genève', 'CH-FR; CH-GE'],
      ['distribuidores en las provincias de Toledo y Cuenca', 'ES-TO; ES-CU'],
      ['Hoteliers in Luxemburg (Stadt)', 'LU:Luxembourg'],
      ['London (the one in Ontario) dentists', 'CA-ON:London'],
      ['CFOs in Paris, Texas lol jk, the real one in France', 'FR:Paris'],
      ['clínicas en Guadalajara, la de España', 'ES:Guadalajara'],
      ['dealers in Birmingham, not the UK one', 'US-AL:Birmingham'],
      ['Paris, not the one in Texas: CFOs', 'FR:Paris'],
      ['restaurantes en Guadalajara, ojo: la de Jalisco, no la de España', 'MX:Guadalajara'],
      ['gerentes en Nuevo León, Coahuila y Guanajuato', 'MX-NLE; MX-COA; MX-GUA'],
      ['Zahnärzte in Frankfurt (Oder)', 'DE:Frankfurt (Oder)'],
    ]))
})

describe('a place within a name', () => {
  it('is not a place if the name is refused', () => {
    for (const [brief, place, ...names] of [
      ['clubes de fútbol de España, menos Barça y Real Madrid', 'ES', 'Barça', 'Real Madrid'],
      ['branch managers in Texas, nobody at United Rentals / Sunbelt / Herc', 'US-TX', 'United Rentals', 'Sunbelt', 'Herc'],
      ['HR managers in Texas, skip Austin Industries and Dallas Cowboys', 'US-TX', 'Austin Industries', 'Dallas Cowboys'],
      ['banks in the US but not Bank of Hawaii', 'US', 'Bank of Hawaii'],
      ['universities in Texas, except the University of Houston', 'US-TX', 'University of Houston'],
    ] as const) {
      const { filters } = readBrief(brief)
      reads([[brief, place]])
      assert.deepEqual(filters.companies?.exclude, names, brief)
      assert.equal(filters.industries?.exclude, undefined, brief)
    }
  })

  it('is not a place if the name is quoted', () =>
    reads([
      ["HR heads in Nairobi. Put them in the sheet 'L&D Africa'", 'KE:Nairobi'],
      ['the campaign is called "Texas Push": HR directors in Ohio', 'US-OH'],
      ['"New York" based CTOs, "Berlin" too', 'US-NY:New York; DE:Berlin'],
    ]))

  it('is the area if a place is expected', () =>
    reads([['HVAC firms in the Sunbelt', 'US-TX; US-AZ; US-FL; US-GA; US-NC; US-SC; US-NV; US-NM']]))
})

it('every line of area names belongs to an existing area', () => {
  const file = new URL('../../../lead-terms/data/areas.txt', import.meta.url)
  assert.deepEqual(
    readPhraseFile(file)
      .map(([area]) => area)
      .sort(),
    [...AREA_NAMES].sort(),
  )
})
