import type { Overture } from '../../../packages/sdk/src/client.ts'
import type { Reply, ThreadMessage } from '../../../packages/sdk/src/types.gen.ts'
import type { Call } from '../command.ts'
import { harmless, harmlessLines, printJson, printRecord } from '../output.ts'
import { openService } from '../service.ts'
import type { Shell } from '../shell.ts'

/** `overture replies show ID`: the text and its kind. */
export async function showReply({ positionals, flags, shell }: Call): Promise<void> {
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
