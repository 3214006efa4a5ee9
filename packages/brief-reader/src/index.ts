export type { Explanation } from './assembly/assembly.ts'
export { NUMBER_WORDS, SCALES } from './mentions/spelled-numbers.ts'
export { type BriefReading, quotableText, readBrief, warmUp } from './read-brief.ts'
