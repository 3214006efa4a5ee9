import type { Event } from '../../../packages/sdk/src/types.gen.ts'
import type { Call } from '../command.ts'
import { clip, harmless, jsonText } from '../output.ts'
import { followEvents } from './follow.ts'

/** `overture tail`: what happens, as it happens, until Ctrl-C. */
export async function tail({ flags, shell }: Call): Promise<void> {
  const { events, after } = await followEvents(shell, flags, 'tail')
  const asJson = flags.isOn('json')
  shell.warn(`Following the events after ${after}. Ctrl-C ends it.`)
  for await (const event of events) shell.print(asJson ? jsonText(event) : lineOf(event))
}

/** The fields that distinguish an event from others of its type, in this order. */
const TOLD = [
  'email',
  'fromEmail',
  'action',
  'name',
  'from',
  'to',
  'kind',
  'subject',
  'reason',
  'url',
  'error',
  'operationId',
  'campaignId',
]
const MOST = 4
const LONGEST = 48

function lineOf({ timestamp, seq, type, data }: Event): string {
  const facts: Record<string, unknown> = { ...data }
  const told = TOLD.filter(name => facts[name] !== undefined && facts[name] !== null).slice(0, MOST)
  const words = told.map(name => {
    const value = name === 'error' ? (facts.error as { message?: unknown }).message : facts[name]
    return `${name}=${clip(harmless(typeof value === 'string' ? value : JSON.stringify(value)), LONGEST)}`
  })
  return [timestamp.slice(11, 19), String(seq).padStart(6), type.padEnd(24), ...words].join('  ').trimEnd()
}
