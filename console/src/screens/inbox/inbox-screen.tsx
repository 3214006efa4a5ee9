import type { NewSuppression, Reply, ReplyPatch } from '@overture/sdk'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { memo, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { type RunningOperation, useOperation } from '@/data/use-operation.ts'
import { statusWords } from '@/ui/badge.tsx'
import { Button, buttonClass } from '@/ui/button.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { cx } from '@/ui/cx.ts'
import { ConfirmDialog, Dialog } from '@/ui/dialog.tsx'
import { FilterBar } from '@/ui/filter-bar.tsx'
import { CheckIcon, InboxIcon, SearchIcon } from '@/ui/icons.tsx'
import { isMac, Kbd, useKeys } from '@/ui/keyboard.tsx'
import { PageHeader } from '@/ui/page.tsx'
import { RadioCard } from '@/ui/radio-card.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { EmptyState, ErrorState } from '@/ui/states.tsx'
import { Tabs } from '@/ui/tabs.tsx'
import { useWide } from '@/ui/use-width.ts'
import { asQuery, type CorrectableKind, KINDS, useCampaignNames, useReplies, useReply, VIEWS, type View, viewOf } from './data.ts'
import { ReplyList } from './reply-list.tsx'
import { ReplyReader } from './reply-reader.tsx'

const VIEW_WORDS: Record<View, string> = { todo: 'To do', look: 'Needs review', handled: 'Handled', all: 'All' }
const TABS = VIEWS.map(value => ({ value, label: VIEW_WORDS[value] }))
const Reader = memo(ReplyReader)
const KIND_OPTIONS = [...KINDS, 'auto_reply'].map(value => ({ value, label: statusWords(value) }))

/** An open dialog keeps the reply it was opened for, because another one may be selected meanwhile. */
type Asks = { what: 'keys' } | { what: 'suppress' | 'opt-out'; reply: Reply }

export function InboxScreen() {
  const search = useSearch({ from: '/shell/inbox' })
  const { q, campaign, kind, reply: selectedId } = search
  const view = viewOf(search.view)
  const { may } = useWorkspace()
  const navigate = useNavigate()
  const isWide = useWide()
  const filters = { q, view, campaign, kind }
  const pages = useReplies(filters)
  const { data: selected, error } = useReply(selectedId)
  const { data: campaigns } = useCampaignNames()
  const names = useMemo(() => new Map(campaigns?.map(each => [each.id, each.name])), [campaigns])
  const field = useRef<HTMLTextAreaElement>(null)
  const [asks, setAsks] = useState<Asks | null>(null)
  // The reply whose answer field gets the focus when it is rendered.
  const [awaitedId, setAwaitedId] = useState<string>()
  // The position of the selected reply. An event may remove it from the list before its change is done.
  const place = useRef(0)
  const selectedAt = pages.rows.findIndex(row => row.id === selectedId)
  if (selectedAt >= 0) place.current = selectedAt

  const select = (reply: string | undefined, replace = true) =>
    void navigate({ to: '/inbox', search: before => ({ ...before, reply }), replace })
  const neighbor = (of: string | undefined, step: 1 | -1): string | undefined => {
    const at = pages.rows.findIndex(row => row.id === of)
    return pages.rows[at < 0 ? 0 : at + step]?.id
  }
  /** A handled reply leaves the list of replies to handle, and the next one is selected. */
  const leave = (reply: Reply) => {
    if (view === 'all' || view === 'handled' || reply.id !== selectedId) return
    const next = pages.rows[selectedAt < 0 ? place.current : selectedAt + 1] ?? pages.rows[place.current - 1]
    select(isWide ? next?.id : undefined)
  }
  const change = useReplyChange(({ reply, patch }) => {
    if (patch.kind === 'opt_out') setAsks(now => (now?.what === 'opt-out' && now.reply.id === reply.id ? null : now))
    if (patch.handled) leave(reply)
  })
  const toggleHandled = (reply: Reply) => {
    if (!change.isBusy) void change.run({ reply, patch: { handled: !reply.handled } })
  }
  const correct = (reply: Reply, to: CorrectableKind) => {
    if (reply.kind === to || change.isBusy) return
    if (to === 'opt_out') setAsks({ what: 'opt-out', reply })
    else void change.run({ reply, patch: { kind: to } })
  }
  const suppress = (reply: Reply) => setAsks({ what: 'suppress', reply })
  // If a dialog was closed before its change was done, it must not close the dialog after it.
  const close = () => setAsks(now => (now === asks ? null : now))
  // The selection shows immediately. The selected reply is rendered when the browser has time for it.
  const read = useDeferredValue(selected)
  const acts = useStable({
    onBack: () => select(undefined, false),
    onHandled: toggleHandled,
    onKind: correct,
    onSuppress: suppress,
    onAnswered: leave,
  })

  // A wide screen always shows a reply. Another filter starts with its first reply.
  const firstId = pages.isStale ? undefined : pages.rows[0]?.id
  const asked = JSON.stringify(filters)
  const previous = useRef({ asked, selectedId })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only these decide what is looked at
  useEffect(() => {
    const isOtherList = previous.current.asked !== asked
    if (isOtherList && pages.isStale) return
    // A link changes the list and the reply together.
    const startsAnew = isOtherList && previous.current.selectedId === selectedId
    previous.current = { asked, selectedId }
    if (isWide ? (!selectedId || startsAnew) && firstId : startsAnew && selectedId) select(isWide ? firstId : undefined)
  }, [asked, isWide, selectedId, firstId, pages.isStale])

  // The current answer field belongs to the previous reply and disappears with it.
  const isRead = read?.id === selectedId
  const isAwaited = awaitedId !== undefined && awaitedId === selectedId && !isRead && !error
  useEffect(() => {
    if (awaitedId === undefined || isAwaited) return
    if (awaitedId === selectedId && isRead) field.current?.focus()
    setAwaitedId(undefined)
  }, [awaitedId, isAwaited, selectedId, isRead])

  const keys = keysFor(may, {
    go: step => select(neighbor(selectedId, step) ?? selectedId),
    explain: () => setAsks({ what: 'keys' }),
    answer: () => (isRead ? field.current?.focus() : setAwaitedId(selectedId)),
    toggleHandled: () => selected && toggleHandled(selected),
    correct: to => selected && correct(selected, to),
    suppress: () => selected?.from && suppress(selected),
  })
  // Keys that are pressed while the answer field is awaited are meant for it, so they are not shortcuts.
  const stopWaiting = () => setAwaitedId(undefined)
  useKeys(isAwaited ? { Escape: stopWaiting } : keys)

  const bar = useMemo(
    () => [
      {
        ...{ key: 'campaign', label: 'Campaign', all: 'Any campaign' },
        options: (campaigns ?? []).map(each => ({ value: each.id, label: each.name })),
      },
      { key: 'kind', label: 'Category', all: 'Any category', options: KIND_OPTIONS },
    ],
    [campaigns],
  )
  const isList = isWide || !selectedId
  return (
    <>
      <PageHeader
        title="Inbox"
        description="Replies from all campaigns."
        actions={
          <>
            <span className="hidden min-[900px]:block">
              <Button variant="ghost" onClick={() => setAsks({ what: 'keys' })}>
                Shortcuts <Kbd>?</Kbd>
              </Button>
            </span>
            <CopyAs call={overture => overture.replies.list(asQuery(filters))} />
          </>
        }
      />
      <section
        aria-label="Replies"
        className="flex flex-col overflow-hidden rounded-xl border border-line bg-panel shadow-low min-[900px]:h-[calc(100dvh-11rem)] min-[900px]:min-h-120 lg:h-[calc(100dvh-9rem)]"
      >
        {isList ? (
          <>
            <div className="border-line border-b px-4 pt-1 *:-mb-px">
              <Tabs
                label="Replies by state"
                tabs={TABS}
                value={view}
                onChange={next =>
                  void navigate({ to: '/inbox', search: before => ({ ...before, view: next === 'todo' ? undefined : next }) })
                }
              />
            </div>
            <FilterBar search="Search replies" filters={bar} />
          </>
        ) : null}
        <div className="flex min-h-0 flex-1">
          {isList ? (
            <div className={cx('min-w-0', isWide ? 'w-88 shrink-0 overflow-y-auto border-line border-r' : 'w-full')}>
              <ReplyList
                pages={pages}
                selectedId={selectedId}
                campaigns={names}
                empty={<EmptyInbox view={view} isFiltered={Boolean(q || campaign || kind)} />}
              />
            </div>
          ) : null}
          {isWide || selectedId ? (
            <div className="flex min-w-0 flex-1 flex-col">
              {selectedId && read && !error ? (
                <Reader
                  reply={read}
                  campaign={read.campaignId ? names.get(read.campaignId) : undefined}
                  phase={change.phase}
                  field={field}
                  hasBack={!isWide}
                  {...acts}
                />
              ) : (
                <NoReply isChosen={selectedId !== undefined} error={error} />
              )}
            </div>
          ) : null}
        </div>
      </section>
      {asks?.what === 'keys' ? <KeysDialog onClose={close} /> : null}
      {asks?.what === 'suppress' ? <SuppressDialog key={asks.reply.id} reply={asks.reply} onClose={close} /> : null}
      {asks?.what === 'opt-out' ? (
        // This correction cannot be undone, because the suppression stays.
        <ConfirmDialog
          title="Mark as opted out?"
          verb="Mark as opted out"
          autoFocus
          operation={{ phase: change.phase, error: null }}
          onConfirm={() => void change.run({ reply: asks.reply, patch: { kind: 'opt_out' } })}
          onClose={close}
        >
          Overture suppresses {asks.reply.from ?? 'the address'} and unsubscribes the lead. Changing the category later does not undo this.
        </ConfirmDialog>
      ) : null}
    </>
  )
}

/** Replaces the reply while none is selected or loaded. */
function NoReply({ isChosen, error }: { isChosen: boolean; error: Error | null }) {
  if (!isChosen) {
    return (
      <EmptyState icon={InboxIcon} title="No reply selected" className="flex-1">
        Select a reply to read it here.
      </EmptyState>
    )
  }
  if (error) return <ErrorState error={error} />
  return <SkeletonLines count={6} className="p-5" />
}

interface Acts {
  go: (step: 1 | -1) => unknown
  explain: () => unknown
  answer: () => unknown
  toggleHandled: () => unknown
  correct: (to: CorrectableKind) => unknown
  suppress: () => unknown
}

/** The shortcuts that the role allows. */
const keysFor = (may: (scope: string) => boolean, acts: Acts) => ({
  j: () => acts.go(1),
  k: () => acts.go(-1),
  '?': acts.explain,
  ...(may('leads:write')
    ? {
        r: acts.answer,
        e: acts.toggleHandled,
        ...Object.fromEntries(KINDS.map((each, index) => [String(index + 1), () => acts.correct(each)])),
      }
    : {}),
  ...(may('suppressions:write') ? { s: acts.suppress } : {}),
})

function EmptyInbox({ view, isFiltered }: { view: View; isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon={SearchIcon} title="No matching replies">
        Try another search or clear the filters.
      </EmptyState>
    )
  }
  if (view === 'todo' || view === 'look') {
    return (
      <EmptyState
        icon={CheckIcon}
        title={view === 'todo' ? 'No replies to handle' : 'Nothing to review'}
        actions={
          <Link to="/inbox" search={{ view: 'all' }} className={buttonClass()}>
            View all replies
          </Link>
        }
      >
        New replies appear here automatically. They stay until you answer them or mark them as handled.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={InboxIcon} title={view === 'handled' ? 'No handled replies yet' : 'No replies yet'}>
      When a lead replies, Overture classifies the reply, shows it here and stops the sequence for that lead.
    </EmptyState>
  )
}

const KEYS: readonly [keys: readonly string[], what: string][] = [
  [['j'], 'Next reply'],
  [['k'], 'Previous reply'],
  [['r'], 'Answer'],
  [[isMac ? '⌘' : 'Ctrl', 'Enter'], 'Send answer'],
  [['e'], 'Mark as handled or reopen'],
  [['1'], 'Mark as positive'],
  [['2'], 'Mark as neutral'],
  [['3'], 'Mark as negative'],
  [['4'], 'Mark as opted out'],
  [['s'], 'Suppress address or domain'],
  [['/'], 'Search'],
  [['Esc'], 'Exit the answer field and keep the draft'],
  [['?'], 'Show shortcuts'],
]

function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts" size="sm">
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2">
        {KEYS.map(([keys, what]) => (
          <div key={what} className="col-span-2 grid grid-cols-subgrid items-center">
            <dt className="flex gap-1">
              {keys.map(key => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** Stops all email to an address or domain. Asks for confirmation, because a domain may have many leads. */
function SuppressDialog({ reply, onClose }: { reply: Reply; onClose: () => void }) {
  const { api } = useWorkspace()
  const [kind, setKind] = useState<NewSuppression['kind']>('email')
  const address = reply.from ?? ''
  const choices = [
    { kind: 'email', value: address, help: 'Only this person' },
    { kind: 'domain', value: address.split('@').at(-1) ?? '', help: 'Everyone at this domain' },
  ] as const
  const { value } = choices.find(choice => choice.kind === kind)!
  const suppress = useOperation({
    send: (body: NewSuppression, { idempotencyKey }) => api.suppressions.create(body, { idempotencyKey }),
    touches: [['suppressions'], ['replies'], ['campaigns'], ['campaign', reply.campaignId]],
    done: `${value} suppressed`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title="Suppress sender"
      verb={kind === 'email' ? 'Suppress address' : 'Suppress domain'}
      autoFocus
      operation={suppress}
      onConfirm={() => void suppress.run({ kind, value })}
      onClose={onClose}
    >
      <p>
        No campaign in this workspace will email this {kind === 'email' ? 'address' : 'domain'} again. You can undo this under Settings
        &amp; privacy.
      </p>
      <fieldset className="flex flex-col gap-2 text-ink">
        <legend className="sr-only">What to suppress</legend>
        {choices.map(choice => (
          <RadioCard key={choice.kind} name="kind" checked={kind === choice.kind} onChange={() => setKind(choice.kind)}>
            <span className="block truncate font-medium">{choice.value}</span>
            <span className="block text-faint text-xs">{choice.help}</span>
          </RadioCard>
        ))}
      </fieldset>
    </ConfirmDialog>
  )
}

interface ReplyChange {
  reply: Reply
  patch: ReplyPatch
}

const TOUCHED = [['replies'], ['campaigns']]

function wordsOf({ reply, patch }: ReplyChange): string {
  const who = reply.from ?? 'a deleted contact'
  if (patch.kind) return `Reply from ${who} marked as ${statusWords(patch.kind).toLowerCase()}`
  return patch.handled ? `Reply from ${who} marked as handled` : `Reply from ${who} reopened`
}

function useReplyChange(onDone: (change: ReplyChange) => void): RunningOperation<ReplyChange, Reply> {
  const { api } = useWorkspace()
  return useOperation({
    send: ({ reply, patch }: ReplyChange, { idempotencyKey }) => api.replies.update(reply.id, patch, { idempotencyKey }),
    touches: TOUCHED,
    toastsErrors: true,
    done: (_, change) => wordsOf(change),
    onDone: (_, change) => onDone(change),
  })
}

/** Functions with a stable identity that call the latest ones, so that a memoized component is not rendered again. */
function useStable<Functions extends Readonly<Record<string, (...given: never[]) => void>>>(functions: Functions): Functions {
  const latest = useRef(functions)
  latest.current = functions
  const [stable] = useState(() =>
    Object.fromEntries(Object.keys(functions).map(name => [name, (...given: never[]) => latest.current[name]!(...given)])),
  )
  return stable as Functions
}
