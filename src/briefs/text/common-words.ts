import { readAllWords } from '../words.ts'

/** Everyday words that must not be repaired into something they resemble, nor taken for topics or names. */
export const COMMON_WORDS = readAllWords('common.txt')
