export { areaByName, areaReach } from './areas.ts'
export { normalizeCompanyName, readCompanyValue, registrableDomain } from './companies.ts'
export { FILTER_LIMITS, type FilterDocument, FilterDocumentSchema, IN_OUT_FIELDS, type InOutField } from './filters/filter-schema.ts'
export { parseFilters, saysWhom } from './filters/filters.ts'
export { gazetteer } from './gazetteer.ts'
export { type MoneyRange, moneyInRange } from './money.ts'
export {
  functionPhrases,
  functionText,
  industryPhrases,
  industryText,
  moreFunctionText,
  moreIndustryText,
  readPhraseFile,
  readPhrases,
  readWordFile,
  tradeText,
} from './phrase-file.ts'
export { type LeadPlace, placeMatcher } from './place-matching.ts'
export {
  cityOf,
  expandArea,
  isFamiliarCountry,
  LEAST,
  type NamedPlace,
  type Place,
  type PlaceReading,
  type Point,
  placeKey,
  placeOfCode,
  placeWithin,
  readPlaceName,
  readQualifier,
  regionWithin,
  resolvePlace,
  samePlace,
} from './places.ts'
export { employeesInRange, mergeRanges, type NumberRange, numberInRange } from './ranges.ts'
export { bitCount, containsWord, letterSet, meantCost, PLAIN, SWAPPED, slipCost } from './slips.ts'
export { foldLetters, foldText, foldTokens, nearestWord, singularToken } from './text.ts'
export { expandTitle, type TitleTest, titleMatcher } from './titles.ts'
export { isTown, isTypedPlace, typedPlaceWords } from './typed-places.ts'
export {
  AREA_NAMES,
  type Area,
  CURRENCIES,
  type Currency,
  DEPARTMENTS,
  type Department,
  EMAIL_STATUSES,
  EMAIL_TYPES,
  EMPLOYEE_BUCKETS,
  type EmailStatus,
  type EmailType,
  type EmployeeBucket,
  FUNDING_STAGES,
  type FundingStage,
  INDUSTRIES,
  INDUSTRY_SLUGS,
  industrySlugs,
  isSeniority,
  SENIORITIES,
  type Seniority,
  SUPPRESSIONS,
  type Suppression,
  seniorityAndAbove,
  TECHNOLOGIES,
  TITLE_MATCHES,
  type TitleMatch,
} from './vocabulary.ts'
