import { readFileSync } from 'node:fs'
import type { InboundMessage } from '../../inbound/inbound.ts'
import { classifyReply } from '../classify.ts'

/** The texts of a file of this folder, one a line. */
export const linesOf = (file: string): string[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))

export const tuesday = new Date('2026-02-10T10:00:00Z')

/** A reply that consists of these words alone, read on a Tuesday. */
export const judge = (text: string, subject = 'Re: Hi') =>
  classifyReply(
    { bounce: null, report: null, subject, text, from: null, date: null, headers: new Map() } as unknown as InboundMessage,
    tuesday,
  )

export const kindOf = (text: string) => judge(text).kind
