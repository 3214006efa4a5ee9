import type { Overture } from '../../packages/sdk/src/client.ts'
import type { Reply, ThreadMessage } from '../../packages/sdk/src/types.gen.ts'
import { wrongUsage } from '../lib/command-failure.ts'
import { isUuid } from '../lib/ids.ts'
import { namedCampaign } from './campaigns/running.ts'
import type { Call, Run } from './command.ts'
import { openService } from './connection.ts'
import { suggestion } from './flags.ts'
import { harmless, harmlessLines, printJson, printRecord, printTable } from './output.ts'
import { readInput, type Shell } from './shell.ts'

const VERBS: Record<string, Run> = { show: showReply, answer: answerReply, handle: handleReplies, correct: correctReply }

/** `overture replies` and its verbs. */
export async function replies(call: Call): Promise<void> {
  const [verb, ...ids] = call.positionals
  if (verb === undefined) return listReplies(call)
  const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
  if (!run) throw wrongUsage(`There is no subcommand "${verb}".${suggestion(verb, Object.keys(VERBS))}`, 'overture replies --help')
  if (ids.length === 0) throw wrongUsage('Specify the id of a reply.', 'overture replies')
  const wrong = ids.find(id => !isUuid(id))
  if (wrong !== undefined) throw wrongUsage(`"${wrong}" is not the id of a reply.`, 'overture replies')
  if (ids.length > 1 && verb !== 'handle') throw wrongUsage('This command takes the id of one reply.', `overture replies ${verb} ${ids[0]}`)
  return run({ ...call, positionals: ids })
}

const USUAL_LIMIT = 100

/** The replies that are not handled and need a person; with a kind, all of that kind that are not handled. */
async function listReplies({ flags, shell }: Call): Promise<void> {
  const limit = Number(flags.text('limit') ?? USUAL_LIMIT)
  if (!Number.isInteger(limit) || limit < 1) throw wrongUsage('--limit must be a whole number, 1 or more.', 'overture replies --limit 20')
  const kind = readKind(flags.text('kind'), 'overture replies --help')
  const service = await openService(shell, flags)
  const campaign = flags.text('campaign')
  const filter = {
    ...(campaign === undefined ? {} : { campaignId: (await namedCampaign(service, campaign)).id }),
    ...(kind === undefined ? {} : { kind }),
    ...(flags.isOn('all') ? {} : kind === undefined ? { handled: false, needsLook: true } : { handled: false }),
  }
  const found: Reply[] = []
  let hasMore = false
  for await (const reply of service.replies.list({ ...filter, limit: Math.min(limit + 1, 100) })) {
    hasMore = found.length === limit
    if (hasMore) break
    found.push(reply)
  }
  if (flags.isOn('json')) return printJson(shell, { data: found, hasMore })
  const rows = found.map(reply => ({ ...reply, received: reply.receivedAt.slice(0, 16).replace('T', ' ') }))
  printTable(shell, rows, ['id', 'received', 'kind', 'from', 'subject', 'text'])
  if (hasMore) shell.warn(`There are more replies: --limit ${limit * 2}`)
  if (found.length > 0) shell.warn('Next: overture replies show ID')
  else if (!flags.isOn('all')) shell.warn('Next: overture replies --all   # including handled replies and those that need no review')
}

/** `overture replies show ID`: the text and its kind. */
async function showReply({ positionals, flags, shell }: Call): Promise<void> {
  const service = await openService(shell, flags)
  const reply = await service.replies.get(positionals[0]!)
  const thread = flags.isOn('thread') ? await readThread(service, reply) : null
  if (flags.isOn('json')) return printJson(shell, thread ? { ...reply, thread } : reply)
  const { id, from, subject, receivedAt, kind, confidence, correctedKind, needsLook, handled, campaignId, leadId } = reply
  printRecord(shell, { id, from, subject, receivedAt, kind, confidence, correctedKind, needsLook, handled, campaignId, leadId })
  for (const { filename, sizeBytes, contentType } of reply.attachments) {
    shell.print(`attached: ${harmless(filename)} (${sizeBytes} bytes, ${harmless(contentType)})`)
  }
  if (thread) for (const message of thread) printMessage(shell, message)
  else printText(shell, reply.text)
  if (!handled) shell.warn(`Next: overture replies answer ${id}   # or handle, or correct --kind KIND`)
}

async function readThread(service: Overture, { campaignId, leadId }: Reply): Promise<ThreadMessage[]> {
  if (!campaignId || !leadId) return []
  const messages: ThreadMessage[] = []
  for await (const message of service.leads.listThread(campaignId, leadId)) messages.push(message)
  return messages
}

function printMessage(shell: Shell, { direction, at, from, subject, text }: ThreadMessage): void {
  shell.print(`\n${direction === 'in' ? '<--' : '-->'} ${at} ${harmless(from ?? '')}: ${harmless(subject ?? '')}`)
  printText(shell, text)
}

function printText(shell: Shell, text: string | null): void {
  shell.print('')
  for (const line of harmlessLines(text ?? '(it is not kept)')) shell.print(`  ${line}`.trimEnd())
}

const PATIENCE_MS = 60_000

/** `overture replies answer ID`: ends when the answer has been sent. */
async function answerReply({ positionals, flags, shell }: Call): Promise<void> {
  const id = positionals[0]!
  const given = flags.text('text')
  if (given === undefined && shell.input.isTTY) shell.warn('Write the answer. Press Ctrl-D to send it, Ctrl-C to cancel.')
  const text = (given ?? (await readInput(shell))).trim()
  if (text === '') throw wrongUsage('The answer is empty.', `overture replies answer ${id} --text "Gladly. Does Tuesday suit you?"`)
  const subject = flags.text('subject')
  const service = await openService(shell, flags)
  const answer = { text, ...(subject === undefined ? {} : { subject }), ...(flags.isOn('again') ? { again: true } : {}) }
  const result = await service.replies.answer(id, answer).wait({ timeoutMs: PATIENCE_MS })
  if (flags.isOn('json')) return printJson(shell, result)
  const reply = await service.replies.get(id)
  shell.print(`The answer to ${harmless(reply.from ?? id)} was sent.`)
}

/** `overture replies handle ID...`: marks replies as handled. */
async function handleReplies({ positionals, flags, shell }: Call): Promise<void> {
  const service = await openService(shell, flags)
  const done: Reply[] = []
  for (const id of positionals) done.push(await service.replies.update(id, { handled: true }))
  if (flags.isOn('json')) return printJson(shell, { data: done })
  shell.print(done.length === 1 ? 'The reply is handled.' : `${done.length} replies are handled.`)
}

/** `overture replies correct ID --kind positive`: corrects the kind, which also changes the lead. */
async function correctReply({ positionals, flags, shell }: Call): Promise<void> {
  const id = positionals[0]!
  const next = `overture replies correct ${id} --kind positive|negative|neutral|opt_out`
  const kind = readKind(flags.text('kind'), next)
  if (kind === undefined) throw wrongUsage('Specify a kind.', next)
  if (kind === 'auto_reply') throw wrongUsage('A reply cannot be corrected to auto_reply.', next)
  const service = await openService(shell, flags)
  const reply = await service.replies.update(id, { kind })
  if (flags.isOn('json')) return printJson(shell, reply)
  shell.print(`The reply is now ${reply.kind}; it was classified as ${reply.judgedKind}.`)
}

const KINDS = ['positive', 'negative', 'neutral', 'opt_out', 'auto_reply'] as const
type Kind = (typeof KINDS)[number]

function readKind(text: string | undefined, next: string): Kind | undefined {
  if (text === undefined) return undefined
  const kind = KINDS.find(each => each === text.toLowerCase().replaceAll('-', '_'))
  if (!kind) throw wrongUsage(`--kind must be one of ${KINDS.join(', ')}, not "${text}".`, next)
  return kind
}
