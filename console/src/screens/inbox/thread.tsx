import type { Reply, ThreadMessage } from '@overture/sdk'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import type { Pages } from '@/data/use-answer.ts'
import { useOperation } from '@/data/use-operation.ts'
import { holdWords } from '@/data/words.ts'
import { useThread } from '@/screens/leads/data.ts'
import { readableAddress } from '@/ui/address.ts'
import { Badge, Status } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { saveFile } from '@/ui/copy.tsx'
import { cx } from '@/ui/cx.ts'
import { MoreRows } from '@/ui/data-table.tsx'
import { formatBytes } from '@/ui/format.ts'
import { HtmlFrame } from '@/ui/html-frame.tsx'
import { AttachmentIcon, ChevronRightIcon } from '@/ui/icons.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'

/** The conversation that a reply belongs to. */
export function ReplyThread({ reply }: { reply: Reply }) {
  const { campaignId, leadId } = reply
  if (campaignId && leadId) return <LeadThread campaignId={campaignId} leadId={leadId} reply={reply} />
  return (
    <div className="flex flex-col gap-3">
      <Message message={asMessage(reply)} newText={reply.text} isOpenFirst />
      <p className="text-faint text-xs">The lead was removed, so earlier emails are not shown.</p>
    </div>
  )
}

const LeadThread = ({ campaignId, leadId, reply }: { campaignId: string; leadId: string; reply: Reply }) => (
  <Thread pages={useThread(campaignId, leadId)} reply={reply} />
)

/** All messages to and from a lead, oldest first. Our own steps are folded, so that the words of the lead stand out. */
export function Thread({ pages, reply }: { pages: Pages<ThreadMessage>; reply: Reply | undefined }) {
  const newest = pages.rows.at(-1)
  if (pages.error) return <ErrorState error={pages.error} onRetry={pages.retry} />
  if (pages.isLoading) return <SkeletonLines count={5} className="p-4" />
  return (
    <div className="flex flex-col gap-3">
      <ol aria-label="Messages" className="flex flex-col gap-3">
        {pages.rows.map(message => (
          <li key={message.id}>
            <Message
              message={message}
              newText={reply && message.direction === 'in' && message.replyId === reply.id ? reply.text : null}
              isOpenFirst={message.direction === 'in' || message.kind === 'answer' || message === newest}
            />
          </li>
        ))}
      </ol>
      <MoreRows pages={pages}>Show later messages</MoreRows>
    </div>
  )
}

const asMessage = (reply: Reply): ThreadMessage => ({
  ...reply,
  direction: 'in',
  status: null,
  hold: null,
  at: reply.receivedAt,
  replyId: reply.id,
  to: null,
  author: null,
  html: null,
})

/** The content of the message header next to the time. */
function headOf({ kind, step, author }: ThreadMessage, personId: string): string {
  if (kind !== 'answer') return `Step ${(step ?? 0) + 1}`
  return author ? `Answer by ${author.id === personId ? 'you' : author.name}` : 'Answer'
}

type Shown = 'newText' | 'all' | 'html'

function Message({ message, newText, isOpenFirst }: { message: ThreadMessage; newText: string | null; isOpenFirst: boolean }) {
  const [isOpen, setOpen] = useState(isOpenFirst)
  const [shows, setShows] = useState<Shown>('newText')
  const { personId } = useWorkspace()
  const isIn = message.direction === 'in'
  return (
    <article className={cx('rounded-xl border', isIn ? 'border-line-strong bg-panel shadow-low' : 'border-line bg-sunken/60')}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center gap-2 rounded-xl px-3.5 py-2.5 text-left"
      >
        <ChevronRightIcon width={14} height={14} className={cx('shrink-0 text-faint transition-transform', isOpen && 'rotate-90')} />
        <span className={cx('min-w-0 shrink truncate', isIn ? 'font-medium' : 'text-soft')}>
          {isIn ? readableAddress(message.from ?? 'Deleted contact') : headOf(message, personId)}
        </span>
        {isOpen ? null : <span className="min-w-0 flex-1 truncate text-faint">{withoutNowhere(message.text)?.replace(/\s+/g, ' ')}</span>}
        <span className="ml-auto flex shrink-0 items-center gap-2">
          {isIn ? <Status status={message.kind} /> : <DeliveryStatus message={message} />}
          <Time at={message.at} className="text-faint text-xs" />
        </span>
      </button>
      {isOpen ? (
        <div className="border-line border-t px-3.5 py-3">
          {message.subject ? <p className="mb-2 text-faint text-xs">{message.subject}</p> : null}
          {message.cc.length > 0 ? <p className="mb-2 break-words text-faint text-xs">Cc: {message.cc.join(', ')}</p> : null}
          {message.hold ? <Hold hold={message.hold} /> : null}
          <Content message={message} newText={newText} shows={shows} />
          {message.isCut ? (
            <p className="mt-2 text-faint text-xs">This message is too large to show in full. Open it in the mailbox.</p>
          ) : null}
          {isIn && message.replyId && message.attachments.length > 0 ? (
            <Attachments replyId={message.replyId} attachments={message.attachments} />
          ) : null}
          <Choices message={message} newText={newText} shows={shows} onShow={setShows} />
        </div>
      ) : null}
    </article>
  )
}

const Hold = ({ hold: { reason, until } }: { hold: NonNullable<ThreadMessage['hold']> }) => (
  <p className="mb-2 rounded-md bg-warn-wash px-2.5 py-1.5 text-warn text-xs">
    Waiting: {holdWords(reason)}.
    {until ? (
      <>
        {' '}
        Next attempt <Time at={until} />.
      </>
    ) : null}
  </p>
)

type ContentProps = { message: ThreadMessage; newText: string | null; shows: Shown }

/** The service replaces our own links, so that a user who reads the thread cannot open them. */
const withoutNowhere = (text: string | null): string | null => text?.replaceAll('about:blank', '[link]') ?? null

function Content({ message, newText, shows }: ContentProps) {
  if (shows === 'html' && message.html) return <HtmlFrame html={message.html} title={`Message from ${message.from ?? 'unknown sender'}`} />
  const text = withoutNowhere(shows === 'newText' ? (newText ?? message.text) : message.text)
  return (
    <p className="max-w-prose whitespace-pre-wrap break-words text-base">
      {text?.trim() || <span className="text-faint">No text stored.</span>}
    </p>
  )
}

/** Switches between the new text, the full message and its HTML. */
function Choices({ message: { text, html }, newText, shows, onShow }: ContentProps & { onShow: (shown: Shown) => void }) {
  const hasMore = newText !== null && text !== null && newText.trim() !== text.trim()
  if (!hasMore && !html) return null
  return (
    <div className="-ml-2 mt-2 flex gap-1">
      {hasMore ? (
        <Button size="sm" variant="ghost" onClick={() => onShow(shows === 'all' ? 'newText' : 'all')}>
          {shows === 'all' ? 'Hide quoted text' : 'Show full message'}
        </Button>
      ) : null}
      {html ? (
        <Button size="sm" variant="ghost" onClick={() => onShow(shows === 'html' ? 'newText' : 'html')}>
          {shows === 'html' ? 'Show as text' : 'Show as HTML'}
        </Button>
      ) : null}
    </div>
  )
}

const DELIVERY: Record<string, [words: string, tone: 'neutral' | 'info' | 'bad' | 'warn']> = {
  queued: ['Waiting', 'warn'],
  sending: ['Sending', 'info'],
  failed: ['Not sent', 'bad'],
  unknown: ['Checking delivery', 'warn'],
}

/** The status of an email that is not simply sent. */
function DeliveryStatus({ message: { status } }: { message: ThreadMessage }) {
  const delivery = status ? DELIVERY[status] : undefined
  return delivery ? <Badge tone={delivery[1]}>{delivery[0]}</Badge> : null
}

type Attachment = Reply['attachments'][number]

/** Attachments can be downloaded but are never shown, because they are not scanned for viruses. */
function Attachments({ replyId, attachments }: { replyId: string; attachments: readonly Attachment[] }) {
  return (
    <ul aria-label="Attachments" className="mt-3 flex flex-wrap gap-2">
      {attachments.map(attachment => (
        <li key={attachment.id}>
          <Download replyId={replyId} attachment={attachment} />
        </li>
      ))}
    </ul>
  )
}

function Download({ replyId, attachment }: { replyId: string; attachment: Attachment }) {
  const { api } = useWorkspace()
  const download = useOperation({
    send: async (_: null) => {
      const response = await api.replies.downloadAttachment(replyId, attachment.id)
      saveFile(await response.blob(), attachment.filename)
    },
    toastsErrors: true,
  })
  const size = formatBytes(attachment.sizeBytes)
  if (!attachment.isKept) {
    return (
      <span className="inline-flex h-7 items-center gap-1.5 rounded-md border border-line border-dashed px-2 text-faint text-xs">
        <AttachmentIcon /> {attachment.filename} · {size}, too large to store. Open it in the mailbox.
      </span>
    )
  }
  return (
    <Button size="sm" icon={AttachmentIcon} phase={download.phase} title="Not scanned for viruses." onClick={() => void download.run(null)}>
      <span className="max-w-60 truncate">{attachment.filename}</span>
      <span className="text-faint">{size}</span>
    </Button>
  )
}
