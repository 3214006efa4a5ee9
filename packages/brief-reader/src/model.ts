import type {
  Currency,
  Department,
  EmailStatus,
  EmailType,
  Place,
  PlaceReading,
  Seniority,
  Suppression,
} from '../../lead-terms/src/index.ts'

/** A word, a number, a mark of punctuation or a domain, as the text has it. */
export interface Token {
  kind: 'word' | 'number' | 'mark' | 'domain'
  /** As written. */
  text: string
  /** Folded word, or the punctuation character. */
  word: string
  start: number
  end: number
  /** The character that joins it to the token before without a space: "-" in "SaaS-Firma", "" when there is a space. */
  glue: string
  capital: boolean
  allCaps: boolean
  value?: number
  /** The number was written "200+". */
  plus?: boolean
}

/** Everything one phrase may mean; the readers of mentions decide which reading the text supports. */
export interface Entry {
  industry?: string
  weakIndustry?: boolean
  technology?: string
  weakTechnology?: boolean
  title?: string
  weakTitle?: boolean
  /** The title is written in English only here. */
  foreignTitle?: true
  function?: { title: string; department: Department | undefined; foreign?: true }
  level?: string
  levelTitle?: string
  /** A title begins with it: the form, "%" for the function. */
  opening?: string
  size?: string
  stage?: string
  weakStage?: boolean
  keyword?: string
  /** The keyword is next to its industry, which is wider. */
  narrower?: boolean
}

/** One unit of the brief: a word, a mark of punctuation, a domain, or a whole quantity ("between 50 and 200", "€5-10M"). */
export interface Item {
  kind: 'word' | 'quantity' | 'mark' | 'domain'
  /** Folded word, the mark, or "#". */
  word: string
  /** Token positions, both inclusive. */
  first: number
  last: number
  quantity?: Quantity
}

export interface Quantity {
  min?: number
  max?: number
  /** "more than" and "less than" leave the bound out; for money the bound is kept anyway. */
  minOpen?: boolean
  maxOpen?: boolean
  approximate?: boolean
  currency?: Currency
  /** Written with "million" or "k": a sum rather than a count. */
  scaled?: boolean
  /** A number alone: not a range, no comparison. */
  plain?: boolean
  /** Written as two numbers with a dash or "to". */
  span?: boolean
  /** Said with a word for time: since, before, after. */
  temporal?: boolean
}

/** The brief as it stands: its text, tokens and items, and the words of the items in a row. */
export interface Source {
  text: string
  tokens: readonly Token[]
  items: readonly Item[]
  words: readonly string[]
  /** Each word once: what tells the language of the text. */
  distinct: ReadonlySet<string>
  /** The position at which it first asks for a person, or -1. */
  firstAsked: number
  /** By item, the next mark that comes after words for an audience: each line of a long form asks what is below it. */
  nextAudience: Int32Array
  /** The rest after the longest brief that is read: it is reported. */
  rest: string
}

/**
 * The speaker of an item. Only the wish is read for filters; the rest is reported as context, except what was said
 * to the machine.
 */
export type Segment = 'wish' | 'sender' | 'machine' | 'courtesy' | 'past' | 'label'

/** The parts a negation or a correction may play; a phrase may be able to play several. */
export interface Cue {
  not?: true
  except?: true
  /** It refuses only where no one is its subject. */
  command?: true
  /** It refuses only after a person who speaks. */
  speaker?: true
  exceptBehindPlace?: true
  excluded?: true
  excludedAtEnd?: true
  /** It names who looks after what is refused. */
  delegated?: true
  refusesThem?: true
  nothing?: true
  /** Its object is neither asked for nor refused. */
  indifferent?: true
  /** The members that it points at, of the list named before: "last 2". */
  reference?: string
  correction?: true
  /** It takes back all that was asked for before. */
  restart?: true
  insteadOf?: true
  retraction?: true
  replacing?: true
  headquarters?: true
  conjunction?: true
}

type ChunkKind =
  | 'word'
  | 'name'
  | 'place'
  | 'domain'
  | 'comma'
  | 'list'
  | 'conjunction'
  | 'break'
  | 'gap'
  | 'negator'
  | 'excluded'
  | 'refusal'
  | 'correction'
  | 'instead'
  | 'headquarters'
  | 'reference'

/** A phrase of the brief with everything it may be. The readers of mentions go over chunks from left to right. */
export interface Chunk {
  kind: ChunkKind
  /** Item positions, inclusive. */
  first: number
  last: number
  /** Folded words, joined. */
  word: string
  entry?: Entry
  /** The singular of a title's last word, if this is one. */
  role?: string
  readings?: readonly PlaceReading[]
  /** All places a name stands for, where there are several. */
  group?: readonly Place[]
  /** An adjective of nationality: "German". */
  demonym?: boolean
  cue?: Cue
  capital: boolean
  /** A small word of the grammar. */
  small: boolean
  /** An adjective that no filter knows. */
  idle: boolean
  companyNoun: boolean
  peopleNoun: boolean
  /** Nothing explains it: it may be a name, a topic, or a part of a title. */
  unknown: boolean
  label: string | undefined
  sentence: number
  /** A mention was read from it. */
  used?: boolean
  /** A quantity with a bound ("50+"), as against a plain number. */
  bound?: boolean
  /** Said for a wish that is no mention (about earlier contact, addresses, contacts per company), or for politeness. */
  requirement?: boolean
  /** It is right after a negation, in its bracket, or on a line that excludes: whatever it is, it is refused. */
  refused?: boolean
  /** Only what comes after it can refuse it: a strange name, what a person may use. It is not asked for. */
  uncertain?: boolean
  /** A negation that refused nothing which was read. */
  unanswered?: boolean
}

export type RangeField = 'employees' | 'revenue' | 'fundingTotal' | 'founded'

export type MentionKind =
  | 'title'
  | 'level'
  | 'department'
  | 'industry'
  | 'technology'
  | 'place'
  | 'headquarters'
  | 'company'
  | 'keyword'
  | 'size'
  | 'stage'
  | RangeField

export interface Range {
  field: RangeField
  min?: number
  max?: number
  currency?: Currency
}

/** One thing the brief speaks of, with the chunks that said it. Whether it is wanted is decided in `negation`. */
export interface Mention {
  kind: MentionKind
  /** The value as written into the document (levels, sizes and stages are expanded in the assembly). */
  value: string
  place?: Place
  department?: Department
  range?: Range
  /** For places: the items that said how far around it, or what kind of place it is. */
  radius?: { first: number; last: number }
  /** The industry of a keyword that says more: refused, only the keyword is. */
  wider?: boolean
  /** For technologies that may be employers: nothing says that a person uses them. */
  bare?: boolean
  /** For levels: all ranks of the range that was said: "director and above". */
  levels?: readonly Seniority[]
  /** For levels: the title it becomes next to other titles. */
  levelTitle?: string
  /** Chunk positions, inclusive. */
  first: number
  last: number
  negated?: boolean
  /** No filter can say it: the complement of a closed range. It is reported. */
  unsayable?: boolean
  /** Taken back, named only to be replaced, or a word that a negated phrase says about its noun. */
  dropped?: boolean
}

/** The speaker of each item. Only the words of the wish are read for filters; none is forgotten. */
export interface Segments {
  of: Segment[]
  /** Items of the sender in which companies are named that he knows, or that he then refuses: "we work with Bosch, skip them". */
  namesOnly: Uint8Array
}
/** He says that he refuses them. */
export const REFUSED = 2

/**
 * Names of companies: capitalized words where the text expects a name (after "at", after a refusal, under a label, before
 * "need to be out"), and companies that everyone knows. A name is found before the vocabulary is asked, and never repaired.
 */
export interface NameSpan {
  /** Item positions, inclusive. */
  first: number
  last: number
  /** A name only if what comes after it refuses it. */
  uncertain?: boolean
}

/** A wish that is no mention: about addresses, earlier contact, numbers per company, windows of time. */
type RequirementValue =
  | { field: 'emailStatus'; value: EmailStatus }
  | { field: 'emailTypes'; value: EmailType }
  | { field: 'suppress'; value: Suppression }
  | { field: 'jobTitleMatch'; value: 'exact' }
  | { field: 'contactedWithinDays' | 'maxPerCompany' | 'fundedWithinMonths'; value: number }
  /** How many years old a company may be, or must be, for callers that know what year it is. */
  | { field: 'founded'; value: number; isOlder: boolean }
  /** Asked of every list anyway: it filters no one. */
  | { field: 'none' }

/** A wish with the items that said it, inclusive. */
export type Requirement = RequirementValue & { first: number; last: number }

export type AddRequirement = (requirement: RequirementValue, first: number, last: number, uses?: [first: number, last: number]) => void
