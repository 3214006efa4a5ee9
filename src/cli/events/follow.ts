import type { Overture } from '../../../packages/sdk/src/client.ts'
import type { Event } from '../../../packages/sdk/src/types.gen.ts'
import { wrongUsage } from '../../lib/command-failure.ts'
import { namedCampaign } from '../campaigns/named.ts'
import type { Flags } from '../flags.ts'
import { openService } from '../service.ts'
import type { Shell } from '../shell.ts'
import { readType } from './types.ts'

interface Followed {
  events: AsyncIterable<Event>
  /** The number of the event after which it begins. */
  after: number
}

/**
 * Opens the event log of the workspace. A service that cannot be reached is reported at once. Afterwards a lost connection is opened
 * again for as long as it takes, and goes on after the last event that was seen.
 */
export async function followEvents(shell: Shell, flags: Flags, command: string): Promise<Followed> {
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

/** Reports when the connection of a stream is lost and restored. */
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
