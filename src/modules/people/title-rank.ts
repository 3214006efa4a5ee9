import { DEPARTMENTS, type Department, foldText, functionPhrases, type Seniority, singularToken } from '#lead-terms'

interface TitleRank {
  seniority: Seniority | null
  department: Department | null
}

// The first line that matches a title decides: "vice president" before "president", and "co-founder & cto" is a founder.
const SENIORITY_WORDS: [Seniority, string][] = [
  [
    'intern',
    'intern, internship, trainee, apprentice, werkstudent, werkstudentin, praktikant, praktikantin, azubi, auszubildender, stagiaire, alternant, becario, becaria, practicante, working student',
  ],
  [
    'founder',
    'founder, co founder, cofounder, founding partner, grunder, grunderin, mitgrunder, fondateur, fondatrice, cofondateur, fundador, fundadora, cofundador, fondatore, oprichter',
  ],
  [
    'owner',
    'owner, business owner, co owner, proprietor, inhaber, inhaberin, eigentumer, proprietaire, gerant, gerante, propietario, propietaria, dueno, duena, titolare, eigenaar',
  ],
  ['vp', 'vp, svp, evp, avp, vice president, vicepresident, vice presidente, vicepresidente, vizeprasident'],
  [
    'c_suite',
    'ceo, cto, cfo, coo, cmo, cio, ciso, cpo, cro, cdo, chro, clo, cco, cso, chief, president, managing director, general manager, geschaftsfuhrer, geschaftsfuhrerin, geschaftsleitung, vorstand, vorstandin, prasident, pdg, directeur general, directrice generale, director general, directora general, consejero delegado, consejera delegada, amministratore delegato, general counsel',
  ],
  ['partner', 'partner, managing partner, senior partner, associe, socio, socia, gesellschafter'],
  ['head', 'head, head of, leiter, leiterin, leitung, bereichsleiter, abteilungsleiter, chef de, jefe, jefa, jefe de'],
  ['director', 'director, directors, direktor, direktorin, directeur, directrice, directora, direttore, diretor'],
  [
    'manager',
    'manager, managerin, lead, team lead, teamlead, supervisor, principal investigator, responsable, gerente, encargado, teamleiter, teamleiterin, gruppenleiter, coordinator, responsabile',
  ],
  ['senior', 'senior, sr, principal, staff, expert, lead engineer, architect, chef'],
  [
    'entry',
    'junior, jr, assistant, associate, entry, graduate, analyst, clerk, representative, assistent, assistentin, sachbearbeiter, sachbearbeiterin, asistente, auxiliar',
  ],
]

// Occupations that name their department without naming a function.
const DEPARTMENT_WORDS: [Department, string][] = [
  ['security', 'ciso, soc analyst, penetration tester'],
  ['it', 'cio, system administrator, systems administrator, sysadmin, network engineer, it manager, systemadministrator'],
  ['data', 'cdo, data scientist, data engineer, data analyst, machine learning engineer, bi analyst'],
  [
    'engineering',
    'cto, engineer, developer, programmer, software architect, entwickler, entwicklerin, ingenieur, ingeniero, developpeur, desarrollador',
  ],
  ['product', 'product manager, product owner, product director'],
  ['design', 'designer, art director, ux, grafiker, gestalter'],
  ['research', 'scientist, researcher, forscher, chercheur, investigador'],
  ['marketing', 'cmo, marketer, copywriter, seo specialist, pr manager'],
  ['business_development', 'business development, bdr, partnerships, business developer'],
  ['sales', 'cro, sdr, account executive, account manager, key account manager, sales representative, vertriebler, comercial, commercial'],
  ['customer_success', 'customer success, csm'],
  ['support', 'support engineer, support specialist, customer support, customer service, helpdesk'],
  ['supply_chain', 'logistics, supply chain, warehouse, dispatcher, fleet, disponent'],
  ['procurement', 'buyer, purchaser, einkaufer, einkauferin, purchasing, procurement, acheteur, comprador'],
  ['manufacturing', 'production manager, plant manager, werksleiter, machinist, produktionsleiter, foreman, polier'],
  [
    'finance',
    'cfo, accountant, controller, comptroller, treasurer, auditor, bookkeeper, buchhalter, buchhalterin, comptable, contable, tax, steuerberater',
  ],
  ['legal', 'clo, lawyer, attorney, counsel, paralegal, rechtsanwalt, rechtsanwaltin, jurist, avocat, abogado, notar'],
  ['hr', 'chro, recruiter, talent acquisition, people partner, personalreferent, personalleiter, drh'],
  ['administration', 'office manager, secretary, executive assistant, receptionist, sekretarin, sekretar, assistant'],
  [
    'medical',
    'doctor, physician, nurse, dentist, surgeon, therapist, physiotherapist, pharmacist, veterinarian, arzt, arztin, zahnarzt, medecin, dentiste, medico, enfermera',
  ],
  ['education', 'teacher, professor, lecturer, tutor, dean, rector, lehrer, lehrerin, schulleiter, enseignant, profesor, profesora'],
  ['operations', 'coo, operations manager, operations'],
]

const phrases = (text: string): string[] => text.split(', ').map(phrase => foldText(phrase))

const seniorityByPhrase = new Map(
  SENIORITY_WORDS.flatMap(([value, text], rank) => phrases(text).map(phrase => [phrase, { value, rank }] as const)),
)

const departmentByPhrase = new Map<string, Department>([
  ...departmentPhrases(),
  ...DEPARTMENT_WORDS.flatMap(([value, text]) => phrases(text).map(phrase => [phrase, value] as const)),
])

function departmentPhrases(): (readonly [string, Department])[] {
  return functionPhrases().flatMap(([, department, names]) =>
    (DEPARTMENTS as readonly string[]).includes(department) ? names.map(name => [foldText(name), department as Department] as const) : [],
  )
}

const LONGEST_PHRASE = 4
const CACHE_LIMIT = 50_000
const cache = new Map<string, TitleRank>()

/** The level and department of a title. Null when the title does not state them: a guess would put people into wrong searches. */
export function rankTitle(title: string): TitleRank {
  const known = cache.get(title)
  if (known) return known
  const rank = readTitle(title)
  if (cache.size >= CACHE_LIMIT) cache.clear()
  // A copy, because a slice as a key would keep the whole text of the file in memory.
  cache.set(Buffer.from(title).toString(), rank)
  return rank
}

function readTitle(title: string): TitleRank {
  const tokens = foldText(title).split(' ')
  const singular = tokens.map(singularToken)
  let seniority: { value: Seniority; rank: number } | undefined
  let department: { value: Department; length: number } | undefined
  for (let length = Math.min(LONGEST_PHRASE, tokens.length); length > 0; length--) {
    for (let start = 0; start + length <= tokens.length; start++) {
      const phrase = tokens.slice(start, start + length).join(' ')
      const plain = singular.slice(start, start + length).join(' ')
      const level = seniorityByPhrase.get(phrase) ?? seniorityByPhrase.get(plain)
      if (level && (!seniority || level.rank < seniority.rank)) seniority = level
      const found = departmentByPhrase.get(phrase) ?? departmentByPhrase.get(plain)
      if (found && !department) department = { value: found, length }
    }
  }
  // "Managing director" and similar titles lead the company, not a department.
  return { seniority: seniority?.value ?? null, department: department?.value ?? null }
}
