export type { Explanation } from './assembly.ts'
export { NUMBER_WORDS, SCALES } from './mentions/spelled-numbers.ts'
export { type Proposal, quotableText, readBrief, warmUp } from './read-brief.ts'
