import type { Mention, MentionKind } from '../model.ts'

/** What a list of mentions may be made of: people, places, things that companies are or have, numbers. */
export type Family = 'person' | 'place' | 'thing' | 'measure'

const FAMILIES: Record<MentionKind, Family> = {
  title: 'person',
  level: 'person',
  department: 'person',
  place: 'place',
  headquarters: 'place',
  industry: 'thing',
  keyword: 'thing',
  company: 'thing',
  technology: 'thing',
  size: 'thing',
  stage: 'thing',
  employees: 'measure',
  revenue: 'measure',
  fundingTotal: 'measure',
  founded: 'measure',
}

export const familyOf = (mention: Mention): Family => FAMILIES[mention.kind]
