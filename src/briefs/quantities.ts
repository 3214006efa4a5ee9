import type { Currency } from '../search/terms/vocabulary.ts'
import type { Clauses } from './clauses.ts'
import type { Item, Quantity } from './numbers.ts'

export interface RangeFind {
  field: 'employees' | 'revenue' | 'fundingTotal' | 'founded'
  min?: number
  max?: number
  currency?: Currency
  /** The item that said it. */
  item: number
}

export interface Radius {
  item: number
  km: number
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const PEOPLE_UNITS = words(
  'employees employee people ppl staff staffers headcount heads fte ftes workers worker emps emp persons person personnel team members member colleagues mitarbeiter mitarbeitern mitarbeiterinnen mitarbeitende mitarbeitenden ma beschaftigte beschaftigten angestellte angestellten leute leuten personen kopfe kopfen vollzeitstellen salaries salarie employes employe collaborateurs personnes personne effectif effectifs empleados empleado trabajadores personas plantilla colaboradores dipendenti addetti medewerkers werknemers funcionarios pessoas man strong pers',
)
const SIZE_LABELS = words(
  'employees employee size headcount staff sized team teams employing workforce mitarbeiter mitarbeiterzahl grosse teamgrosse unternehmensgrosse ma taille effectif effectifs empleados plantilla tamano beschaftigen people emp emps personas salaries count',
)
const REVENUE_WORDS = words(
  'revenue revenues turnover arr mrr sales billing billings umsatz umsatze umsatzen jahresumsatz ca chiffre affaires facturacion facturan facturen ingresos ventas fatturato omzet faturamento gmv income earning earnings making revenu revenus turning',
)
const FUNDING_WORDS = words(
  'raised raise raising funding funded investment financing fundraising invested leve levee levees fonds financement recaudado levantado financiacion inversion eingesammelt finanzierung finanzierungsvolumen kapital captado capital',
)
const FOUNDED_WORDS = words(
  'founded established started incorporated launched created set formed opened founding year registered gegrundet gegrundete gegrundeten grundung grundungsjahr creee creees cree crees creation fondee fondees fonde fondes fundadas fundados fundada fundado creadas creados constituidas nacidas fondate opgericht fundacion since existing bestehen bestehend',
)
const KM = words('km kms kilometer kilometers kilometre kilometres kilometern kilometros chilometri')
const RADIUS = words('radius radio rayon raggio umkreis straal raio')
const PER = words('per pro par por each apiece')
const MILES = words('mile miles mi meilen milles millas')
const TIME = words(
  'day days week weeks month months year years tag tage tagen woche wochen monat monate monaten jahr jahre jahren jour jours semaine semaines mois an ans annee annees dia dias semana semanas mes meses ano anos hour hours stunden heures horas am pm minutes minuten',
)
const WANTED = words(
  'leads lead contacts contact prospects results names records profiles kontakte kontakten adressen datensatze prospekte contactos resultados nombres emails mails companies accounts firmen unternehmen entreprises empresas campaigns meetings calls clients customers kunden demos messages users stores locations shops branches offices beds rooms vehicles trucks stars',
)
/** Things a company counts that are not its people. */
const COUNTED = words(
  'stores store shops locations branches offices sites outlets restaurants hotels warehouses plants factories beds rooms seats vehicles trucks cars vans buses aircraft planes ships stars students pupils patients members clients customers users subscribers followers products skus brands countries cities markets languages filialen standorte standorten betten zimmer fahrzeuge lkw kunden schuler studenten geschafte laden restaurants magasins boutiques sites lits chambres vehicules camions clients eleves etudiants agences points tiendas oficinas sucursales locales camas habitaciones vehiculos camiones clientes alumnos estudiantes sedes negozi punti camere veicoli camion clienti studenti winkels vestigingen kamers lojas hectares hektar acres units apartments flats einheiten wohnungen logements viviendas clinics clinic practices hospitals schools gyms pharmacies salons kliniken praxen apotheken schulen cliniques pharmacies ecoles salles clinicas farmacias colegios hoteles gimnasios reviews projects listings properties machines mw megawatts',
)
const ASKING = words(
  'find need want get give me show list pull send us finde brauche suche liste trouve trouver cherche busco necesito dame build about source first top another next',
)
const COMPANY_NOUNS = words(
  'companies company firms firm businesses business startups startup orgs organisations organizations unternehmen firmen firma betriebe betrieben entreprises entreprise societes empresas empresa bedrijven aziende teams agencies shops stores smbs smes',
)

/** Every quantity of the brief to its field, by the words around it. Items that were read are marked consumed. */
export function readQuantities(items: readonly Item[], clauses: Clauses, consumed: Uint8Array): { ranges: RangeFind[]; radii: Radius[] } {
  const ranges: RangeFind[] = []
  const radii: Radius[] = []
  for (let at = 0; at < items.length; at++) {
    const { quantity } = items[at]!
    if (!quantity || consumed[at] || clauses.dropped[at]) continue
    if (ranges.length + radii.length >= MOST_RANGES) break
    const after = near(items, at, 1, 4, consumed)
    const before = near(items, at, -1, 6, consumed)
    const unit = after[0]
    if (unit && (KM.has(unit) || MILES.has(unit))) {
      const value = quantity.max ?? quantity.min!
      const km = Math.round(KM.has(unit) ? value : value * 1.609344)
      if (km >= 1 && km <= 500) radii.push({ item: at, km })
      consumed[at + 1] = 1
      // "20 km radius", "un radio de 20 km": the word that says so is no broadcaster.
      for (const position of [at - 1, at - 2, at + 2]) if (RADIUS.has(items[position]?.word ?? '')) consumed[position] = 1
      continue
    }
    if (unit && COUNTED.has(unit) && !quantity.currency && clauses.labels[at] !== 'employees' && countsThings(items, at, unit)) {
      consumed[at] = 1
      consumed[at + 1] = 1
      continue
    }
    const last = ranges.at(-1)
    const continues =
      last?.field === 'employees' &&
      !quantity.plain &&
      !quantity.currency &&
      !quantity.temporal &&
      at - last.item <= 4 &&
      !(after[0] && (TIME.has(after[0]) || WANTED.has(after[0])))
    const field = fieldOf(quantity, before, after, clauses.labels[at], items, at) ?? (continues ? 'employees' : undefined)
    if (!field) continue
    const range = toRange(quantity, field, at)
    if (!range) continue
    ranges.push(range)
    consumed[at] = 1
    if (field === 'revenue' || field === 'fundingTotal') consumeLabel(items, at, consumed)
    for (let step = 1; step <= 3; step++) {
      const word = items[at + step]?.word ?? ''
      if (items[at + step]?.kind === 'word' && field === 'employees' && (PEOPLE_UNITS.has(word) || (step === 1 && FILLERS.has(word))))
        consumed[at + step] = 1
      else break
    }
  }
  return { ranges, radii }
}

/** "more than 50 stores" counts stores; "20 shops in Lyon" may be what is wanted, and "50 members of staff" are people. */
function countsThings(items: readonly Item[], at: number, unit: string): boolean {
  const { quantity } = items[at]!
  if (items[at + 1]?.word !== unit || items[at + 2]?.word === 'of') return false
  if (!quantity!.plain) return true
  const before = items[at - 1]?.word ?? ''
  return ['with', 'of', 'over', 'has', 'have', 'mit', 'avec', 'con', 'operating', 'running', 'owning', 'managing', 'com', 'met'].includes(
    before,
  )
}

/** "annual revenue", "turnover of": the words that named the sum are read with it. */
function consumeLabel(items: readonly Item[], at: number, consumed: Uint8Array): void {
  for (const step of [-1, 1]) {
    for (let position = at + step; Math.abs(position - at) <= 4; position += step) {
      const item = items[position]
      if (item?.kind !== 'word') break
      if (REVENUE_WORDS.has(item.word) || FUNDING_WORDS.has(item.word) || item.word === 'annual' || item.word === 'd')
        consumed[position] = 1
      else if (
        ![
          'of',
          'in',
          'with',
          'a',
          'an',
          'is',
          'total',
          'per',
          'year',
          'de',
          'von',
          'mit',
          'yearly',
          'their',
          'that',
          'have',
          'has',
          'than',
          'more',
        ].includes(item.word)
      )
        break
    }
  }
}

/** More than anyone asks for; a text with more numbers than this is not a brief. */
const MOST_RANGES = 40

const FILLERS = words('full time total or more fewer less of in the permanent internal feste festangestellte')

/** The words beside a quantity, nearest first, as far as the next punctuation that ends a thought. */
function near(items: readonly Item[], at: number, step: -1 | 1, count: number, consumed: Uint8Array): string[] {
  const found: string[] = []
  for (let position = at + step; found.length < count && position >= 0 && position < items.length; position += step) {
    const item = items[position]!
    if (item.kind === 'punct') {
      if (item.word === ':' && step < 0) continue
      if (item.word === '.' && step > 0 && found.length === 0) continue
      if (step > 0 || item.word === '.' || item.word === ';' || item.word === '\n' || item.word === ',' || item.word === '|') break
      continue
    }
    if (item.kind === 'quantity') break
    if (consumed[position] && step < 0) break
    found.push(item.word)
  }
  return found
}

function fieldOf(
  quantity: Quantity,
  before: readonly string[],
  after: readonly string[],
  label: string | undefined,
  items: readonly Item[],
  at: number,
): RangeFind['field'] | undefined {
  const money = quantity.currency !== undefined
  const big = quantity.scaled === true && (quantity.max ?? quantity.min ?? 0) >= 100_000
  const years = isYear(quantity)
  const employeesAfter = after.slice(0, 3).findIndex(word => PEOPLE_UNITS.has(word))
  if (label === 'founded' && years) return 'founded'
  if (label === 'revenue' && !years) return 'revenue'
  if (label === 'employees' && !money) return 'employees'
  if (money || big) {
    if (employeesAfter === 0 && !money) return 'employees'
    // "€50 per lead" is a price; "€5m per year" is still a turnover.
    if (PER.has(after[0] ?? '') && !(after[1] && (TIME.has(after[1]) || after[1] === 'annum'))) return undefined
    const said = (list: ReadonlySet<string>, set: readonly string[]) => set.findIndex(word => list.has(word))
    const funding = [said(FUNDING_WORDS, before), said(FUNDING_WORDS, after)].filter(index => index >= 0)
    const revenue = [said(REVENUE_WORDS, before), said(REVENUE_WORDS, after)].filter(index => index >= 0)
    if (funding.length > 0 && (revenue.length === 0 || Math.min(...funding) < Math.min(...revenue))) return 'fundingTotal'
    return 'revenue'
  }
  if (employeesAfter >= 0 && after.slice(0, employeesAfter).every(word => FILLERS.has(word))) {
    // "find 50 people in marketing" counts leads, not employees.
    if (
      quantity.plain &&
      ['people', 'ppl', 'persons', 'personen', 'personnes', 'personas', 'leute', 'heads'].includes(after[employeesAfter]!) &&
      (before.some(word => ASKING.has(word)) || before.length === 0) &&
      !before.some(word => ['with', 'mit', 'avec', 'con', 'of'].includes(word))
    )
      return undefined
    return 'employees'
  }
  if (
    years &&
    (before.some(word => FOUNDED_WORDS.has(word)) || after.slice(0, 2).some(word => FOUNDED_WORDS.has(word)) || quantity.temporal)
  )
    return 'founded'
  if (after[0] && TIME.has(after[0])) return undefined
  if (years && quantity.plain) return undefined
  if (before.slice(0, 3).some(word => REVENUE_WORDS.has(word)) && (quantity.max ?? quantity.min ?? 0) >= 10_000) return 'revenue'
  if (before.slice(0, 3).some(word => SIZE_LABELS.has(word)) && !(after[0] && WANTED.has(after[0]))) return 'employees'
  if (after[0] && WANTED.has(after[0]) && !COMPANY_NOUNS.has(after[0])) return undefined
  if (quantity.span && !years && (quantity.max ?? 0) >= 2) {
    const share = items[at + 1]?.word
    return share === '%' || (after[0] && (TIME.has(after[0]) || WANTED.has(after[0])) && !COMPANY_NOUNS.has(after[0]))
      ? undefined
      : 'employees'
  }
  if (
    !quantity.plain &&
    (before.slice(0, 3).some(word => COMPANY_NOUNS.has(word)) || (after[0] && COMPANY_NOUNS.has(after[0]) && !quantity.approximate))
  )
    return 'employees'
  // A bare bound that fills its own segment: "SaaS, 200+, Berlin".
  if (
    !quantity.plain &&
    !quantity.temporal &&
    after.length === 0 &&
    (quantity.min ?? quantity.max ?? 0) >= 5 &&
    !before.some(
      word =>
        ASKING.has(word) ||
        REVENUE_WORDS.has(word) ||
        FUNDING_WORDS.has(word) ||
        FOUNDED_WORDS.has(word) ||
        TIME.has(word) ||
        WANTED.has(word),
    )
  )
    return 'employees'
  return undefined
}

function isYear(quantity: Quantity): boolean {
  if (quantity.scaled || quantity.currency) return false
  const year = (value: number | undefined) => value === undefined || (Number.isInteger(value) && value >= 1850 && value <= 2100)
  return year(quantity.min) && year(quantity.max)
}

function toRange(quantity: Quantity, field: RangeFind['field'], item: number): RangeFind | undefined {
  const range: RangeFind = { field, item }
  const money = field === 'revenue' || field === 'fundingTotal'
  // People and years are counted: "more than 50" begins at 51. Money is continuous.
  if (quantity.min !== undefined) range.min = Math.round(quantity.min) + (quantity.minOpen && !money ? 1 : 0)
  if (quantity.max !== undefined) range.max = Math.round(quantity.max) - (quantity.maxOpen && !money ? 1 : 0)
  if (money) range.currency = quantity.currency ?? 'USD'
  const top = money ? 1e13 : field === 'founded' ? 2100 : 1e7
  const bottom = money ? 0 : field === 'founded' ? 1800 : 1
  if ((range.min ?? bottom) > top || (range.max ?? bottom) < bottom) return undefined
  if (range.min !== undefined && range.min < bottom) range.min = bottom
  if (range.max !== undefined && range.max > top) range.max = top
  if (range.min !== undefined && range.max !== undefined && range.min > range.max) return undefined
  return range
}

/** A negated size is its complement: "no companies above 1000" is at most 1000. */
export function complement(range: RangeFind): RangeFind | undefined {
  const { min, max, ...rest } = range
  const step = range.currency === undefined ? 1 : 0
  if (min !== undefined && max === undefined) return min - step < 1 ? undefined : { ...rest, max: min - step }
  if (max !== undefined && min === undefined) return { ...rest, min: max + step }
  return undefined
}
