import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBrief } from '../read-brief.ts'

const BRIEFS = {
  it: 'CFO di aziende tessili a Torino, …',
  nl: 'CFO’s bij textielbedrijven in Utrecht, …',
  pt: 'Diretores financeiros de empresas têxteis em Lisboa, …',
  pl: 'Dyrektorzy finansowi w firmach odzieżowych w Krakowie, …',
  sv: 'Ekonomichefer på textilföretag i Stockholm, …',
  da: 'Økonomichefer i tekstilvirksomheder i Odense, …',
  no: 'Økonomisjefer i tekstilbedrifter i Oslo, …',
}
const read = (language: keyof typeof BRIEFS, words: string) => readBrief(BRIEFS[language].replace('…', words), { year: 2026 }).filters

describe('Small words of a language that are other words in English', () => {
  for (const [language, refusals] of [
    ['it', ['né banche né assicurazioni', 'lasciare fuori le banche', 'salta le banche', 'ma non banche', 'banche escluse']],
    ['nl', ['sla banken over', 'uitsluiten: banken', 'noch banken noch verzekeraars', 'met uitzondering van banken', 'liever geen banken']],
    ['pt', ['nem bancos nem seguradoras', 'bancos não interessam', 'não queremos bancos', 'deixar de fora os bancos', 'tirando bancos']],
    ['pl', ['ani banki ani ubezpieczyciele', 'poza bankami', 'banki odpadają', 'nie chcemy banków', 'z wyłączeniem banków']],
    [
      'sv',
      ['varken banker eller försäkringsbolag', 'vi vill inte ha banker', 'hoppa över banker', 'banker är inte intressanta', 'ej banker'],
    ],
    ['da', ['hverken banker eller forsikringsselskaber', 'spring banker over', 'banker er ikke interessante', 'bortset fra banker']],
    [
      'no',
      ['verken banker eller forsikringsselskaper', 'unngå banker', 'banker skal ikke med', 'bortsett fra banker', 'ikke ta med banker'],
    ],
  ] as const)
    it(`refuse banks in ${language}`, () => {
      for (const refusal of refusals) {
        const { industries } = read(language, refusal)
        assert.ok(industries?.exclude?.includes('banking') && !industries.include?.includes('banking'), refusal)
      }
    })

  it('is where a person is in Portuguese, and refuses in Spanish', () => {
    const placesOf = (brief: string) => readBrief(brief).filters.locations
    for (const brief of ['CFOs de fintechs no Brasil que captaram série A', 'sócios de consultorias no Brasil, menos de 50 pessoas'])
      assert.deepEqual(placesOf(brief), { include: [{ country: 'BR' }] }, brief)
    for (const brief of ['directores financieros de bancos, no Brasil', 'jefes de compras de clínicas, no Brasil'])
      assert.deepEqual(placesOf(brief), { exclude: [{ country: 'BR' }] }, brief)
  })

  it('bound the number of employees', () => {
    for (const [language, words, range] of [
      ['it', 'dai 50 dipendenti in su', { min: 50 }],
      ['it', 'tra i 50 e i 200 dipendenti', { min: 50, max: 200 }],
      ['nl', 'niet meer dan 50 man', { max: 50 }],
      ['nl', 'boven de 50 medewerkers', { min: 51 }],
      ['pt', 'no máximo 50 funcionários', { max: 50 }],
      ['pl', 'do 50 pracowników', { max: 50 }],
      ['pl', 'od 50 do 200 pracowników', { min: 50, max: 200 }],
      ['pl', 'nie więcej niż 50 osób', { max: 50 }],
      ['sv', 'färre än 50 anställda', { max: 49 }],
      ['da', 'flere end 50 ansatte', { min: 51 }],
      ['no', 'fra 50 ansatte og oppover', { min: 50 }],
    ] as const)
      assert.deepEqual(read(language, words).employees, [range], words)
  })

  it('name people that the sender already knows', () => {
    for (const [language, words, suppressed] of [
      ['it', 'escludere chi abbiamo già nel CRM', 'owned'],
      ['nl', 'die nog niet in ons CRM staan', 'owned'],
      ['pt', 'não queremos quem já está no CRM', 'owned'],
      ['pl', 'z którymi się jeszcze nie kontaktowaliśmy', 'contacted'],
      ['sv', 'som inte finns i vårt CRM', 'owned'],
      ['da', 'som vi aldrig har kontaktet', 'contacted'],
      ['no', 'bare nye kontakter', 'owned'],
    ] as const)
      assert.deepEqual(read(language, words).suppress, [suppressed], words)
  })

  it('keep their meaning in a text of another language', () => {
    assert.deepEqual(readBrief('firms that do 50 million in revenue, CFOs, Warsaw and Gdansk').filters.revenue?.[0]?.max, 50_000_000)
    assert.deepEqual(readBrief('Gerentes de empresas de Lima, no bancos').filters.industries?.exclude, ['banking'])
    assert.deepEqual(readBrief('i need CFOs of banks in Oslo, no insurers').filters.industries?.exclude, ['insurance'])
  })
})
