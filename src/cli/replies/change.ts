import type { Reply } from '../../../packages/sdk/src/types.gen.ts'
import type { Call } from '../command.ts'
import { UsageError } from '../failures.ts'
import { harmless, printJson } from '../output.ts'
import { openService } from '../service.ts'
import { readInput } from '../shell.ts'
import { readKind } from './kinds.ts'

const PATIENCE_MS = 60_000

/** `overture replies answer ID`: ends when the answer has left. */
export async function answerReply({ positionals, flags, shell }: Call): Promise<void> {
  const id = positionals[0]!
  const given = flags.text('text')
  if (given === undefined && shell.input.isTTY) shell.warn('Write the answer. Ctrl-D ends it, Ctrl-C sends nothing.')
  const text = (given ?? (await readInput(shell))).trim()
  if (text === '')
    throw new UsageError('There is nothing to send.', `overture replies answer ${id} --text "Gladly. Does Tuesday suit you?"`)
  const subject = flags.text('subject')
  const service = await openService(shell, flags)
  const result = await service.replies.answer(id, { text, ...(subject === undefined ? {} : { subject }) }).wait({ timeoutMs: PATIENCE_MS })
  if (flags.isOn('json')) return printJson(shell, result)
  const reply = await service.replies.get(id)
  shell.print(`The answer to ${harmless(reply.from ?? id)} was sent.`)
}

/** `overture replies handle ID...`: marks replies as handled. */
export async function handleReplies({ positionals, flags, shell }: Call): Promise<void> {
  const service = await openService(shell, flags)
  const done: Reply[] = []
  for (const id of positionals) done.push(await service.replies.update(id, { handled: true }))
  if (flags.isOn('json')) return printJson(shell, { data: done })
  shell.print(done.length === 1 ? 'The reply is handled.' : `${done.length} replies are handled.`)
}

/** `overture replies correct ID --kind positive`: corrects the kind, which also changes the lead. */
export async function correctReply({ positionals, flags, shell }: Call): Promise<void> {
  const id = positionals[0]!
  const next = `overture replies correct ${id} --kind positive|negative|neutral|opt_out`
  const kind = readKind(flags.text('kind'), next)
  if (kind === undefined) throw new UsageError('Name the kind of the reply.', next)
  if (kind === 'auto_reply') throw new UsageError('A reply cannot be corrected to auto_reply.', next)
  const service = await openService(shell, flags)
  const reply = await service.replies.update(id, { kind })
  if (flags.isOn('json')) return printJson(shell, reply)
  shell.print(`The reply is now ${reply.kind}; it was classified as ${reply.judgedKind}.`)
}
