import { foldTokens, singularToken } from './text.ts'
import type { TitleMatch } from './vocabulary.ts'

/**
 * Comparison of job titles. `similar` adds the synonyms of the value (abbreviations and long forms, languages, "head of X" and "X lead"),
 * then compares as `words`. `words` requires every word of the value in the title. `exact` requires the same words in the same order.
 */

const IGNORED = new Set(['of', 'the', 'for', 'and'])

// Groups of words or phrases with the same meaning and level. A line never joins two levels: "director" stays a director, so that excluding
// directors does not exclude vice presidents.
const SAME_MEANING = `
ceo = chief executive officer = chief executive = pdg = consejero delegado = amministratore delegato = vorstandsvorsitzender
cto = chief technology officer = chief technical officer
cfo = chief financial officer = chief finance officer = directeur financier = directeur administratif et financier = daf = director financiero = finanzvorstand = direttore finanziario
cmo = chief marketing officer
coo = chief operating officer = chief operations officer
cio = chief information officer = dsi = directeur des systemes d information
ciso = chief information security officer = rssi
chro = chief human resources officer = chief people officer
cro = chief revenue officer
cpo = chief product officer
cdo = chief data officer
managing director = geschaftsfuhrer = geschaftsfuhrerin = directeur general = director general = gerant = md
general manager = gm = gerente general
vp = vice president = vizeprasident = vicepresidente
svp = senior vice president
evp = executive vice president
founder = cofounder = co founder = grunder = grunderin = fondateur = fundador = fondatore
owner = proprietor = inhaber = inhaberin = eigentumer = proprietaire = dueno = propietario = titolare = eigenaar
partner = associe = socio
hr = human resources = human resource = people = personal = ressources humaines = rh = recursos humanos = rrhh
it = information technology = informatik = informatique = sistemas
engineering = eng
operations = ops = operaciones
business development = bd = biz dev = bizdev
r and d = research and development = forschung und entwicklung
qa = quality assurance
procurement = purchasing = einkauf = achats = compras = inkoop
sales = vertrieb = verkauf = ventes = ventas
production = produktion = produccion
talent acquisition = recruiting = recruitment
manager = mgr = managerin
director = directeur = directrice = directora = direktor = direktorin = direttore = diretor
engineer = ingenieur = ingeniero
developer = entwickler = developpeur = desarrollador
accountant = buchhalter = comptable = contable
lawyer = attorney = rechtsanwalt = avocat = abogado
buyer = einkaufer = acheteur = comprador
dentist = zahnarzt = dentiste = dentista
tax advisor = steuerberater = tax adviser = tax consultant
sdr = sales development representative
bdr = business development representative
account executive = ae
senior = sr
junior = jr
ecommerce = e commerce
`

/** Whole titles of one level that the groups of single words cannot produce; % is the function. */
const HEAD_FORMS = ['head of %', '% lead', '% head', 'leiter %', '%leiter', '%sleiter', 'leiterin %', 'jefe de %']

interface SynonymIndex {
  /** Phrase -> all phrases of its group. */
  groups: Map<string, string[]>
  longest: number
}

let synonyms: SynonymIndex | undefined

function synonymIndex(): SynonymIndex {
  if (synonyms) return synonyms
  const groups = new Map<string, string[]>()
  let longest = 1
  for (const line of SAME_MEANING.trim().split('\n')) {
    const phrases = line.split(' = ')
    for (const phrase of phrases) {
      groups.set(phrase, phrases)
      longest = Math.max(longest, phrase.split(' ').length)
    }
  }
  synonyms = { groups, longest }
  return synonyms
}

/** The product of several groups is cut here: further forms find nothing new. */
const MOST_FORMS = 64

/** All forms of a value under `similar`, the value itself first; each is a list of folded words. */
export function expandTitle(value: string): string[][] {
  const tokens = foldTokens(value)
  const forms = new Map<string, string[]>()
  const add = (form: string[]) => {
    if (forms.size < MOST_FORMS && form.length > 0) forms.set(form.join(' '), form)
  }
  add(tokens)
  for (const form of replacePhrases(tokens)) add(form)
  for (const form of [...forms.values()]) for (const other of headForms(form)) add(other)
  return [...forms.values()]
}

function replacePhrases(tokens: readonly string[]): string[][] {
  const { groups, longest } = synonymIndex()
  // The longest phrase at each position, and its alternatives.
  const choices: string[][] = []
  for (let at = 0; at < tokens.length; ) {
    let length = Math.min(longest, tokens.length - at)
    let group: string[] | undefined
    for (; length > 1; length--) {
      group =
        groups.get(
          tokens
            .slice(at, at + length)
            .map(singularToken)
            .join(' '),
        ) ?? groups.get(tokens.slice(at, at + length).join(' '))
      if (group) break
    }
    group ??= groups.get(tokens[at]!) ?? groups.get(singularToken(tokens[at]!))
    choices.push(group ?? [tokens[at]!])
    at += Math.max(1, length)
  }
  let results: string[][] = [[]]
  for (const options of choices) {
    const next: string[][] = []
    for (const result of results) for (const option of options) if (next.length < MOST_FORMS) next.push([...result, ...option.split(' ')])
    results = next
  }
  return results
}

function headForms(tokens: readonly string[]): string[][] {
  const name = headFunction(tokens)
  if (name === undefined) return []
  return HEAD_FORMS.map(form => form.replace('%', name).split(' ')).filter(form => form.length > 0)
}

function headFunction(tokens: readonly string[]): string | undefined {
  if (tokens.length > 2 && tokens[0] === 'head' && tokens[1] === 'of') return tokens.slice(2).join(' ')
  const last = tokens.at(-1)
  if (tokens.length >= 2 && (last === 'lead' || last === 'head')) return tokens.slice(0, -1).join(' ')
  if (tokens.length >= 2 && (tokens[0] === 'leiter' || tokens[0] === 'leiterin')) return tokens.slice(1).join(' ')
  return undefined
}

/** A test of one lead's folded title words. */
export type TitleTest = (foldedTitleTokens: readonly string[]) => boolean

/** Whether a title matches any of the values. Compiled once for a filter, then run over a dictionary of titles. */
export function titleMatcher(values: readonly string[], mode: TitleMatch = 'similar'): TitleTest {
  if (mode === 'exact') {
    const wanted = new Set(values.map(value => foldTokens(value).join(' ')))
    return tokens => wanted.has(tokens.join(' '))
  }
  const forms = values.flatMap(value => (mode === 'similar' ? expandTitle(value) : [foldTokens(value)]))
  const wanted = forms
    .map(form => [...new Set(form.filter(token => !IGNORED.has(token) || form.length === 1).map(singularToken))])
    .filter(form => form.length > 0)
  return tokens => {
    const present = new Set<string>()
    for (const token of tokens) present.add(singularToken(token))
    return wanted.some(form => form.every(token => present.has(token)))
  }
}
