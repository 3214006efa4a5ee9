import type { Reply, ReplyPatch } from '@overture/sdk'
import { useWorkspace } from '@/data/session.ts'
import { type RunningOperation, useOperation } from '@/data/use-operation.ts'
import { statusWords } from '@/ui/badge.tsx'

export type ReplyChange = { reply: Reply; patch: ReplyPatch }

const TOUCHED = [['replies'], ['campaigns']]

function wordsOf({ reply, patch }: ReplyChange): string {
  const who = reply.from ?? 'The reply'
  if (patch.kind) return `${who}: ${statusWords(patch.kind).toLowerCase()}`
  return patch.handled ? `${who} is handled` : `${who} is to do again`
}

/** Marks a reply as handled, or corrects what it was taken for. */
export function useReplyChange(onDone: (change: ReplyChange) => void): RunningOperation<ReplyChange, Reply> {
  const { api } = useWorkspace()
  return useOperation({
    send: ({ reply, patch }: ReplyChange, { idempotencyKey }) => api.replies.update(reply.id, patch, { idempotencyKey }),
    touches: TOUCHED,
    toastsErrors: true,
    done: (_, change) => wordsOf(change),
    onDone: (_, change) => onDone(change),
  })
}
