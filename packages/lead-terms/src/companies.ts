import { getDomain, parse } from 'tldts'
import { foldLetters, foldTokens } from './text.ts'

/** Legal forms at the end of company names; removed before names are compared. */
const LEGAL_FORMS = new Set(
  'gmbh mbh ag kg kgaa ohg gbr ug se ev eg inc incorporated corp corporation co company llc llp lp ltd limited plc pllc pc sa sas sasu sarl eurl snc sca scs spa srl srls snc sl slu slp bv nv vof cv cvba bvba srl as asa ab oy oyj aps ivs is hf ehf doo dd ad ood eood sro spol zrt kft nyrt bt oü ou uab sia ab jsc pjsc ojsc ooo zao tov pte pty pvt private proprietary kk gk bhd sdn tbk pt holding holdings group gruppe groupe grupo gruppo sab de cv ltda eireli me epp sapi rl'.split(
    ' ',
  ),
)
const FILLERS = new Set(['and', 'und', 'et', 'y', 'e', 'the', 'de', 'c'])

/** Normalizes a company name: folded, without legal forms at the end, never empty. */
export function normalizeCompanyName(name: string): string {
  // "S.A." and "G.m.b.H." are one word each.
  const tokens = foldTokens(
    foldLetters(name)
      .replace(/\b(?:\p{L}\.){2,}/gu, dotted => dotted.replaceAll('.', ''))
      .replaceAll('&', ' and '),
  )
  let end = tokens.length
  while (end > 1 && (LEGAL_FORMS.has(tokens[end - 1]!) || FILLERS.has(tokens[end - 1]!))) end--
  if (end > 1 && tokens[0] === 'the') return tokens.slice(1, end).join(' ')
  return tokens.slice(0, end).join(' ')
}

/** The host of a URL or bare host name, if it has a public suffix: "https://www.Acme.co.uk/x" -> "www.acme.co.uk". */
function companyHost(entry: string): string | undefined {
  const text = entry.trim().toLowerCase()
  if (/\s/.test(text) || !text.includes('.')) return undefined
  const { hostname, isIcann, domain, isIp } = parse(text, { allowPrivateDomains: false })
  // The companies of the demo directory use the reserved domain `.example`.
  const isHost = isIcann || hostname?.endsWith('.example')
  return hostname && domain && isHost && !isIp && !text.includes('@') ? hostname : undefined
}

/** The registrable domain of a website, host or e-mail address. Two records with the same one are the same company. */
export function registrableDomain(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  return getDomain(at < 0 ? text.trim() : text.slice(at + 1).trim()) ?? undefined
}

type CompanyValue = { kind: 'domain'; host: string; domain: string } | { kind: 'name'; name: string }

/** An entry that is a host name with a public suffix is a domain; anything else is a name. */
export function readCompanyValue(entry: string): CompanyValue {
  const host = companyHost(entry)
  const domain = host === undefined ? undefined : registrableDomain(host)
  return host === undefined || domain === undefined ? { kind: 'name', name: normalizeCompanyName(entry) } : { kind: 'domain', host, domain }
}
