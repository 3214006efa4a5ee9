import { OvertureError, type Reply, type ThreadMessage } from '@overture/sdk'
import { type Ref, useRef, useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useAnswer } from '@/data/use-answer.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { ConfirmDialog } from '@/ui/dialog.tsx'
import { Form } from '@/ui/field.tsx'
import { AnswerIcon } from '@/ui/icons.tsx'
import { isMac, Kbd } from '@/ui/keyboard.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useLeaveGuard } from '@/ui/use-closing.ts'

/** Unsent answers stay until the page is closed, which asks first. */
const drafts = new Map<string, string>()

/** The service forgets after 45 seconds that a person is writing. */
const ANNOUNCE_EVERY_MS = 15_000
const POLL_EVERY_MS = 10_000

/** If two people answer the same reply, the lead gets both answers. */
function OtherComposers({ replyId }: { replyId: string }) {
  const { personId } = useWorkspace()
  const { data = [] } = useAnswer(['composers', replyId], (api, options) => api.replies.listComposers(replyId, options), {
    refetchInterval: POLL_EVERY_MS,
  })
  const names = data.filter(({ id }) => id !== personId).map(({ name }) => name)
  if (names.length === 0) return null
  return (
    <p role="status" className="text-sm text-warn">
      {names.join(' and ')} {names.length === 1 ? 'is' : 'are'} writing an answer.
    </p>
  )
}

interface AnswerFormProps {
  reply: Reply
  field: Ref<HTMLTextAreaElement>
  onAnswered: (reply: Reply) => void
}

export function AnswerForm(props: AnswerFormProps) {
  if (props.reply.kind === 'opt_out') return <p className="text-soft">This person opted out, so you cannot answer.</p>
  return <AnswerField {...props} />
}

function AnswerField({ reply, field, onAnswered }: AnswerFormProps) {
  const { api } = useWorkspace()
  const to = reply.replyTo ?? reply.from
  const [text, setText] = useState(() => drafts.get(reply.id) ?? '')
  const announcedAt = useRef(0)
  const write = (next: string) => {
    drafts.set(reply.id, next)
    setText(next)
    if (Date.now() - announcedAt.current < ANNOUNCE_EVERY_MS) return
    announcedAt.current = Date.now()
    // If this request is lost, typing on sends the next one.
    api.replies.noteComposing(reply.id).catch(() => undefined)
  }
  useLeaveGuard(() => [...drafts.values()].some(draft => draft.trim() !== ''))
  const answer = useOperation({
    send: (body: { text: string; again?: true }, options) => api.replies.answer(reply.id, body, options),
    once: `answer ${reply.id}`,
    touches: [['replies'], ['campaign', reply.campaignId]],
    done: `Answer sent to ${to ?? 'the lead'}`,
    onDone: () => {
      drafts.delete(reply.id)
      setText('')
      onAnswered(reply)
    },
  })
  const canSend = text.trim() !== '' && !answer.isBusy
  const send = () => {
    if (canSend) void answer.run({ text })
  }
  const earlier = earlierAnswerOf(answer.error)
  return (
    <Form className="flex flex-col gap-2" onSubmit={send}>
      <OtherComposers replyId={reply.id} />
      {earlier ? (
        <AgainDialog earlier={earlier} onConfirm={() => void answer.run({ text, again: true })} onClose={answer.reset} />
      ) : (
        <ErrorNote error={answer.error} />
      )}
      <div className="field-box flex flex-col focus-within:border-accent has-focus-visible:outline-3 has-focus-visible:outline-accent/20">
        <textarea
          ref={field}
          aria-label={`Answer to ${to ?? 'the lead'}`}
          placeholder={`Answer ${to ?? ''}…`}
          rows={text === '' ? 2 : Math.min(12, Math.max(4, text.split('\n').length + 1))}
          value={text}
          disabled={answer.isBusy}
          onChange={event => write(event.target.value)}
          onKeyDown={event => {
            if (event.key === 'Escape') event.currentTarget.blur()
            if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
            event.preventDefault()
            send()
          }}
          className="w-full resize-none bg-transparent px-3 pt-2.5 field-text outline-none placeholder:text-faint"
        />
        <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2 p-2">
          <p className="min-w-0 flex-1 pl-1 text-faint text-xs">
            {answer.phase === 'queued' || answer.phase === 'running'
              ? 'Sends when the mailbox is ready. You can continue working.'
              : 'Sends immediately in the same thread. Counts toward the daily limit.'}
          </p>
          <span className="hidden gap-0.5 sm:flex">
            <Kbd>{isMac ? '⌘' : 'Ctrl'}</Kbd>
            <Kbd>Enter</Kbd>
          </span>
          <Button type="submit" variant="primary" icon={AnswerIcon} phase={answer.phase} disabled={!canSend}>
            Send answer
          </Button>
        </div>
      </div>
    </Form>
  )
}

interface EarlierAnswer {
  answeredBy: ThreadMessage['author']
  answeredAt: string
}

/** The earlier answer because of which this one was refused. Null if there is none. */
function earlierAnswerOf(error: Error | null): EarlierAnswer | null {
  const details = error instanceof OvertureError ? (error.details as (EarlierAnswer & { currentStatus?: string }) | null) : null
  return details?.currentStatus === 'answered' ? details : null
}

interface AgainDialogProps {
  earlier: EarlierAnswer
  onConfirm: () => void
  onClose: () => void
}

function AgainDialog({ earlier: { answeredBy, answeredAt }, onConfirm, onClose }: AgainDialogProps) {
  const { personId } = useWorkspace()
  const who = answeredBy?.id === personId ? 'You' : answeredBy?.name
  return (
    <ConfirmDialog
      title="Send another answer?"
      verb="Send another answer"
      variant="primary"
      autoFocus
      operation={{ phase: 'idle', error: null }}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        {who ? `${who} answered` : 'This reply was answered'} <Time at={answeredAt} />. The lead would receive both answers.
      </p>
    </ConfirmDialog>
  )
}
