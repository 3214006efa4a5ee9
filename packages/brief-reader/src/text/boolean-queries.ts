import { forLettersOf } from './letters.ts'

/**
 * The signs of query languages as the words they stand for: "sector != banking", "title in (CFO, COO)", "(owner|founder)",
 * "!franchise", "size:50..200". The stages after this one know words only.
 */

const FIELDS =
  '(?:job_?)?titles?|roles?|positions?|personas?|industr(?:y|ies)|sectors?|verticals?|countr(?:y|ies)|locations?|geo|regions?|states?|cit(?:y|ies)|compan(?:y|ies)|accounts?|domains?|tech(?:nology|nologies|stack)?|tools?|stack|stages?|funding|senior(?:ity|ities)|levels?|departments?|functions?|keywords?|tags?|topics?|size|employees|type|hq|job|loc'

const RANGES = 'employees|headcount|company_?size|size|staff|revenue|turnover|founded'

const SIGNS = (
  [
    // "!industry('gambling')", "size(50,500)", "job ~ 'buyer'": fields as functions and patterns.
    [new RegExp(`(?<=^|[\\s(&])!(${FIELDS}) ?\\(`, 'g'), '$1: not ('],
    [/\b(size|employees|headcount) ?\( ?(\d+) ?, ?(\d+) ?\)/g, '$1: $2-$3'],
    [new RegExp(`(?<=^|[\\s(&])(${FIELDS}) ?(?:~=?|\\((?=["'“]))`, 'g'), '$1: '],
    // "--exclude-industry banking"
    [/(?<=^|\s)--([a-z]{2,12}(?:[-_][a-z]{2,12}){0,2})[ =](?=["'\p{L}\d])/giu, '; $1: '],
    // "min_employees=50", "employees_max: 400", "employees=(50, 500)": ranges of programs.
    [new RegExp(`\\bmin(?:imum)?[_ -]?(${RANGES}) ?[:=] ?(?=\\d)`, 'gi'), '$1: at least '],
    [new RegExp(`\\bmax(?:imum)?[_ -]?(${RANGES}) ?[:=] ?(?=\\d)`, 'gi'), '$1: at most '],
    [new RegExp(`\\b(${RANGES})[_ -]?(?:min(?:imum)?|gte) ?[:=] ?(?=\\d)`, 'gi'), '$1: at least '],
    [new RegExp(`\\b(${RANGES})[_ -]?(?:max(?:imum)?|lte) ?[:=] ?(?=\\d)`, 'gi'), '$1: at most '],
    [new RegExp(`\\b(${RANGES}) ?[:=] ?[[(] ?(\\d+) ?, ?(\\d+) ?[\\])]`, 'gi'), '$1: $2-$3'],
    // "50..200", "50…200"
    [/(?<=\d) ?(?:\.{2,3}|…) ?(?=\d)/g, '-'],
    // "NOT country: Russia", "-industry:gambling": what is refused is what the field holds.
    [new RegExp(`(?:\\bNOT |\\bnot |\\bexclude |(?<=^|[\\s(])[-!])(${FIELDS}) ?: ?`, 'g'), '$1: not '],
    [/(?<=^|[\s(])-(?=["“(])/g, 'not '],
    [/\bnot in ?(?=\()/gi, ': not '],
    [/(?<=[\p{L}"'”]) ?(?:!=|<>|≠) ?(?=[\p{L}"'“(])/gu, ': not '],
    [/(?<=[\p{L}"'”]) ?>=? ?["'“]?([\p{L}][\p{L}-]*(?: [A-Fa-f]\b)?)["'”]?/gu, ': $1+'],
    [/(?<=[\p{L}"'”]) ?={1,2} ?(?=["'“([\p{L}\d])/gu, ': '],
    // "&& ! franchise", "&& !franchise"; "Paris ! CFOs" is how French ends a sentence.
    [/(?<=^|\(|[&|] ?|\b(?:AND|OR) )! ?(?=["'“(\p{L}])|(?<=\s)!(?=["'“(\p{L}])/gu, ' not '],
    [/ ?\|\| ?| ?(?<=[\p{L}"'”])\|(?=[\p{L}"'“]) ?/gu, ' or '],
    [/\b(?:NONE|EXCLUDE|WITHOUT) ?\(/g, 'NOT ('],
    [/\b(?:ANY|ALL|OR|AND)\(/g, '('],
    // "not [banks, insurers]", "not at {SAP}", "no (agencies)": what a bracket holds is refused in every kind of bracket.
    [/\b(?:not|no|exclude|without|except)( at| from|) ?[[{]([^\][{}\n]{1,500})[\]}]/gi, 'not$1 ($2)'],
    [/\b[nN]o \((?=["'“]?[a-zA-Z])/g, 'not ('],
  ] as const
).map(([sign, words]) => [forLettersOf(sign), words] as const)

/** Words that name a field, before "in (" and "contains": the bracket holds what the field shall be. */
const FIELD_IN = /\b(?:hq_)?([a-z]{3,20}) (?:in(?= ?\()|contains?|includes?|like(?= ?["'“]))(?= ?["'“(])/gi

/** "companySize 500+", "jobTitle:": the names of fields in programs. */
const FIELD_NAME = /\b([a-z]{2,12})([A-Z][a-z]{2,12})(?= ?[:=<>(]| \d)/g

/** "retail AND Wales NOT animal": in a query, the single word after is refused whatever it is. */
const LONE_NOT = forLettersOf(/\bNOT (["“]?[\p{L}][\p{L}-]*["”]?)(?=\s*(?:$|[),;.\n]|(?:AND|OR|NOT)\b))/gu)

const LOOKS_LIKE_QUERY = / \+ |\bNOT |--[a-z]|-["“(]|[=|!<>([{:]|\.\.|…|\bcontains?\b/
/** Asked apart: "SaaS" has such a capital too, and the patterns of queries are dear to compile. */
const LOOKS_LIKE_FIELD = /[a-z][A-Z]/

export function readQuerySigns(text: string): string {
  if (!LOOKS_LIKE_QUERY.test(text)) return LOOKS_LIKE_FIELD.test(text) ? text.replace(FIELD_NAME, '$1 $2') : text
  // "engineer + Toronto + Berlin - consulting": after terms that are added, the minus takes away; "more like that - Utah + Ohio" does not.
  const terms = text.replace(/( \+ [^.,\n]* \+ )([^.,\n]*)/g, (_, added, last) => added + last.replace(/ - (?=["“(]?[a-z])/g, ' not '))
  const named = (/\b(?:AND|OR)\b/.test(terms) ? terms.replace(LONE_NOT(terms), 'NOT ($1)') : terms).replace(FIELD_NAME, '$1 $2')
  return SIGNS.reduce((read, [sign, words]) => read.replace(sign(read), words), refuseFields(named)).replace(FIELD_IN, '$1:')
}

/**
 * "geo=US; exclude tech=HubSpot, industry=staffing": where conditions end with a semicolon, an exclusion continues over its commas. So
 * does a line that says so with a colon: "Exclude: industry=banking, geo=TX", and a part of a call.
 */
function refuseFields(text: string): string {
  const refuse = (_: string, fields: string) => fields.replace(FIELD_START, '$1$2: not ')
  const told = text.replace(REFUSING_LINE, refuse).replace(REFUSING_PART, refuse)
  return told.includes(';') ? told.replace(REFUSED_FIELDS, refuse) : told
}
const REFUSING_LINE = new RegExp(
  `(?<=^|;\\s{0,3}|\\n)(?:exclude|excluding|excl|exclusions?|not|without) ?: ?((?:${FIELDS}) ?[=:](?:[^;\\n.]|\\.(?=\\w))*)`,
  'gi',
)
/** "exclude=dict(companies=['SAP'])" */
const REFUSING_PART = new RegExp(
  `\\b(?:exclude[ds]?|exclusions?|must_not|not|without) ?[=:] ?(?:dict ?)?[({] ?((?:${FIELDS}) ?[=:][^(){}\\n]{1,300})[)}]`,
  'gi',
)
const REFUSED_FIELDS = new RegExp(`(?<=^|;\\s{0,3}|\\n)(?:exclude|not) ((?:${FIELDS}) ?[=:][^;\\n]*)`, 'gi')
const FIELD_START = new RegExp(`(^|, ?)(${FIELDS}) ?[=:] ?`, 'gi')
