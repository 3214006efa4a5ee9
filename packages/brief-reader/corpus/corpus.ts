import { readFileSync } from 'node:fs'
import type { AnnotatedBrief } from '../bench/scoring.ts'

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8')

/** Whether this is the complete run, which takes grids as a whole. Every other run takes a part of each, spread over all of it. */
export const isFull = process.env.OVERTURE_TESTS === 'all'

/** Whether a row of a grid is read in this run: each of them in the complete run, one of so many in every other. */
export const isRead = (row: number, oneOf: number): boolean => isFull || row % oneOf === 0

/** A file with one phrase per line. */
export const corpusLines = (file: string): string[] => read(file).split('\n').filter(Boolean)

export const annotatedBriefs = (): AnnotatedBrief[] => JSON.parse(read('briefs.data.json')) as AnnotatedBrief[]

/** The annotated briefs of this run: one of so many of each author, whose ids begin alike. */
export function readBriefs(oneOf: number): AnnotatedBrief[] {
  const byAuthor = Map.groupBy(annotatedBriefs(), ({ id }) => id.replace(/\d+$/, ''))
  return [...byAuthor.values()].flatMap(ofAuthor => ofAuthor.filter((_, row) => isRead(row, oneOf)))
}
