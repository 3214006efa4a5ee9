import type { Call } from '../command.ts'
import { jsonText } from '../output.ts'
import { followEvents } from './follow.ts'
import { forward, readReceiver, shownAttempt } from './forward.ts'

/** `overture listen --forward-to URL`: the webhooks of a workspace, on a machine that nobody can reach from outside. */
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
