import type { Overture } from '../../../packages/sdk/src/client.ts'
import type { Event } from '../../../packages/sdk/src/types.gen.ts'
import { wrongUsage } from '../../lib/command-failure.ts'
import { namedCampaign } from '../campaigns/running.ts'
import type { Call } from '../command.ts'
import { openService } from '../connection.ts'
import type { Flags } from '../flags.ts'
import { clip, harmless, jsonText } from '../output.ts'
import type { Shell } from '../shell.ts'
import { forward, readReceiver, shownAttempt } from './forward.ts'
import { readType } from './trigger.ts'

/** `overture tail`: what happens, as it happens, until Ctrl-C. */
export async function tail({ flags, shell }: Call): Promise<void> {
  const { events, after } = await followEvents(shell, flags, 'tail')
  const asJson = flags.isOn('json')
  shell.warn(`Following the events after ${after}. Press Ctrl-C to stop.`)
  for await (const event of events) shell.print(asJson ? jsonText(event) : lineOf(event))
}

/** The fields that distinguish an event from others of its type, in this order. */
const TOLD = 'email fromEmail action name from to kind subject reason url error operationId campaignId'.split(' ')
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

/** `overture listen --forward-to URL`: the webhooks of a workspace, on a machine that cannot be reached from outside. */
export async function listen({ flags, shell }: Call): Promise<void> {
  const receiver = readReceiver(flags, 'listen')
  const { events, after } = await followEvents(shell, flags, 'listen')
  const asJson = flags.isOn('json')
  if (asJson) shell.print(jsonText({ forwardTo: receiver.url, secret: receiver.secret, after }))
  else shell.print(`Forwarding the events after ${after} to ${receiver.url}\nSecret: ${receiver.secret}\n`)
  let lastSeq = after
  try {
    for await (const event of events) {
      const { id, seq, type } = event
      const outcome = await forward(receiver, event, shell.signal, attempt => {
        if (asJson) shell.print(jsonText({ eventId: id, seq, type, ...attempt }))
        else shell.print(`${String(seq).padStart(6)}  ${type.padEnd(24)}  ${shownAttempt(attempt)}`)
      })
      if (!outcome.isTaken)
        shell.warn(`Event ${seq} was not accepted. To send it again: overture listen --forward-to ${receiver.url} --after ${seq - 1}`)
      lastSeq = seq
    }
  } finally {
    if (shell.signal.aborted)
      shell.warn(`To continue after the last event: overture listen --forward-to ${receiver.url} --after ${lastSeq}`)
  }
}

interface Followed {
  events: AsyncIterable<Event>
  /** The number of the event after which it begins. */
  after: number
}

/**
 * Opens the event log of the workspace. A service that cannot be reached is reported at once. Afterwards a lost connection is opened
 * again for as long as it takes, and continues after the last event.
 */
async function followEvents(shell: Shell, flags: Flags, command: string): Promise<Followed> {
  const types = flags.list('type').map(type => readType(type, `overture ${command} --help`))
  const given = flags.text('after')
  if (given !== undefined && !/^\d{1,15}$/.test(given))
    throw wrongUsage('--after must be the number of an event.', `overture ${command} --after 0`)
  const service = await openService(shell, flags, { fetch: watched(shell) })
  const campaign = flags.text('campaign')
  const campaignId = campaign === undefined ? undefined : (await namedCampaign(service, campaign)).id
  const after = given === undefined ? await lastEvent(service) : Number(given)
  return { events: service.events.stream({ after, types, campaignId }), after }
}

/** Events between this request and the beginning of the stream are not lost, because they come after that event. */
async function lastEvent(service: Overture): Promise<number> {
  const { data } = await service.events.list({ limit: 1, order: 'desc' })
  return data[0]?.seq ?? 0
}

function watched(shell: Shell): typeof fetch {
  let [count, isLost] = [0, false]
  return async (input, init) => {
    if (!String(input).includes('/events/stream')) return fetch(input, init)
    if (count++ > 0 && !isLost && !shell.signal.aborted) {
      isLost = true
      shell.warn('The connection was lost. Reconnecting ...')
    }
    const response = await fetch(input, init)
    if (isLost && response.ok) {
      isLost = false
      shell.warn('Reconnected. Continuing after the last event.')
    }
    return response
  }
}
