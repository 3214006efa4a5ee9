import type { Reply } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode, RefObject } from 'react'
import { useWorkspace } from '@/data/session.ts'
import type { OperationPhase } from '@/data/use-operation.ts'
import { useLead } from '@/screens/leads/data.ts'
import { readableAddress } from '@/ui/address.ts'
import { Status, statusWords } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { CopyButton } from '@/ui/copy.tsx'
import { formatDay, formatPercent } from '@/ui/format.ts'
import { AnswerIcon, BlockIcon, CheckIcon, ChevronDownIcon, ChevronLeftIcon, ClockIcon, EyeIcon, RefreshIcon } from '@/ui/icons.tsx'
import { Kbd } from '@/ui/keyboard.tsx'
import { Menu } from '@/ui/menu.tsx'
import { AnswerForm } from './answer-form.tsx'
import { type CorrectableKind, KINDS } from './data.ts'
import { ReplyThread } from './thread.tsx'

interface ReplyReaderProps {
  reply: Reply
  campaign: string | undefined
  phase: OperationPhase
  field: RefObject<HTMLTextAreaElement | null>
  /** On a phone, the list is not shown next to the reply. */
  hasBack: boolean
  onBack: () => void
  /** Actions apply to the shown reply, which may be the previously selected one for a moment. */
  onHandled: (reply: Reply) => void
  onKind: (reply: Reply, kind: CorrectableKind) => void
  onSuppress: (reply: Reply) => void
  onAnswered: (reply: Reply) => void
}

export function ReplyReader(props: ReplyReaderProps) {
  const { reply, campaign, phase, field, hasBack, onBack, onHandled, onKind, onSuppress, onAnswered } = props
  const { may } = useWorkspace()
  const { data: lead } = useLead(reply.campaignId, reply.leadId)
  const name = lead?.fullName ?? [lead?.firstName, lead?.lastName].filter(Boolean).join(' ')
  const about = [lead?.jobTitle, lead?.company].filter(Boolean).join(', ')
  const mayWrite = may('leads:write')
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex flex-col gap-2 border-line border-b px-4 py-3 min-[900px]:px-5">
        {hasBack ? (
          <Button size="sm" variant="ghost" icon={ChevronLeftIcon} onClick={onBack} className="-ml-2 self-start">
            All replies
          </Button>
        ) : null}
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="min-w-0 flex-1 basis-60">
            <h2 className="truncate font-semibold text-lg">{name || (reply.from ? readableAddress(reply.from) : 'Deleted contact')}</h2>
            <p className="break-words text-faint text-xs">
              {name && reply.from ? readableAddress(reply.from) : null}
              {name && about ? ' · ' : null}
              {about}
            </p>
          </div>
          <div className="flex flex-wrap items-center gap-1.5">
            {mayWrite ? (
              <>
                <Menu
                  trigger={
                    <Button size="sm" aria-label={`Category: ${statusWords(reply.kind)}. Change category`}>
                      <Status status={reply.kind} className="-ml-1 h-4.5" />
                      <ChevronDownIcon className="text-faint" />
                    </Button>
                  }
                  header={<div className="px-2.5 py-1.5 text-faint text-xs">Change category</div>}
                  entries={KINDS.map((kind, index) => ({
                    label: statusWords(kind),
                    hint: kind === reply.kind ? <CheckIcon className="text-accent-ink" /> : <Kbd>{index + 1}</Kbd>,
                    disabled: kind === reply.kind,
                    onSelect: () => onKind(reply, kind),
                  }))}
                />
                <Button
                  size="sm"
                  icon={reply.handled ? RefreshIcon : CheckIcon}
                  phase={phase === 'done' ? 'idle' : phase}
                  onClick={() => onHandled(reply)}
                  title="e"
                >
                  {reply.handled ? 'Reopen' : 'Mark as handled'} <Key>e</Key>
                </Button>
                {/* On a phone, the answer field is right below. */}
                <Button
                  size="sm"
                  icon={AnswerIcon}
                  onClick={() => field.current?.focus()}
                  disabled={!reply.from || reply.kind === 'opt_out'}
                  className="max-sm:hidden"
                >
                  Answer <Key>r</Key>
                </Button>
              </>
            ) : (
              <Status status={reply.kind} />
            )}
            {may('suppressions:write') && reply.from ? (
              <Button size="sm" variant="ghost" icon={BlockIcon} label="Suppress (s)" onClick={() => onSuppress(reply)} />
            ) : null}
          </div>
        </div>
        <ReplyOrigin reply={reply} campaign={campaign} />
      </header>
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto px-4 py-4 min-[900px]:px-5">
        <Notes reply={reply} />
        <ReplyThread key={reply.id} reply={reply} />
      </div>
      {mayWrite && reply.from ? (
        <footer className="border-line border-t px-4 py-3 min-[900px]:px-5">
          <AnswerForm key={reply.id} reply={reply} field={field} onAnswered={onAnswered} />
        </footer>
      ) : null}
    </div>
  )
}

const Key = ({ children }: { children: string }) => (
  <span className="hidden sm:inline">
    <Kbd>{children}</Kbd>
  </span>
)

/** The email that was replied to, and the origin of the category. */
function ReplyOrigin({ reply, campaign }: { reply: Reply; campaign: string | undefined }) {
  return (
    <p className="text-soft text-xs">
      {reply.campaignId ? (
        <>
          Reply to {reply.step === null ? 'an email' : `step ${reply.step + 1}`} of{' '}
          <Link
            to="/campaigns/$campaignId"
            params={{ campaignId: reply.campaignId }}
            className="font-medium text-ink underline-offset-2 hover:underline"
          >
            {campaign ?? 'a campaign'}
          </Link>
          {'. '}
        </>
      ) : null}
      {reply.correctedKind ? (
        <>
          Classified as {statusWords(reply.judgedKind).toLowerCase()}. Your team changed it to{' '}
          {statusWords(reply.correctedKind).toLowerCase()}.
        </>
      ) : (
        <>
          Classified as {statusWords(reply.judgedKind).toLowerCase()}
          {reply.confidence === null ? '' : ` (${formatPercent(Math.floor(reply.confidence * 100) / 100)} confidence)`}.
        </>
      )}
    </p>
  )
}

function Notes({ reply }: { reply: Reply }) {
  return (
    <>
      {reply.needsLook && !reply.handled && !reply.correctedKind ? (
        <Note icon={<EyeIcon />} tone="warn">
          Overture is not sure about this reply. Read it, then change the category or mark it as handled.
        </Note>
      ) : null}
      {reply.referral ? (
        <Note
          icon={<AnswerIcon className="-scale-x-100" />}
          tone="info"
          action={<CopyButton size="sm" variant="ghost" text={reply.referral.email} label="Copy address" />}
        >
          Refers you to{' '}
          <strong className="font-medium">
            <bdi>{reply.referral.name ?? reply.referral.email}</bdi>
          </strong>
          {reply.referral.name ? ` (${reply.referral.email})` : ''}. Overture has not contacted them.
        </Note>
      ) : null}
      {reply.deferredUntil ? (
        <Note icon={<ClockIcon />} tone="info">
          Asks you to follow up on or after {formatDay(new Date(reply.deferredUntil))}. Overture does not schedule this.
        </Note>
      ) : null}
    </>
  )
}

function Note({ icon, tone, action, children }: { icon: ReactNode; tone: 'warn' | 'info'; action?: ReactNode; children: ReactNode }) {
  return (
    <div
      className={`flex items-center gap-2.5 rounded-lg px-3 py-2 text-sm ${tone === 'warn' ? 'bg-warn-wash text-warn' : 'bg-info-wash text-info'}`}
    >
      <span className="shrink-0">{icon}</span>
      <p className="min-w-0 flex-1 break-words">{children}</p>
      {action}
    </div>
  )
}
