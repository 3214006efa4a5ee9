import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { cx } from './cx.ts'
import { AlertIcon, CheckIcon, CloseIcon } from './icons.tsx'
import { makeStore } from './store.ts'

interface Message {
  id: number
  kind: 'done' | 'failed'
  title: string
  description: ReactNode
  /** It is removed when the user leaves the screen. */
  isOfScreen: boolean
  at: number
}

const SHOWN_MS = { done: 4000, failed: 12_000 }
const MOST = 4
/** A message that appears while the user changes the screen stays on the next one. */
const NEW_MS = 1500

const shown = makeStore<readonly Message[]>([])
let lastId = 0

const dismiss = (id: number): void => shown.set(shown.get().filter(message => message.id !== id))

function showMessage(kind: Message['kind'], title: string, description: ReactNode = null, isOfScreen = false): void {
  lastId += 1
  const id = lastId
  shown.set([...shown.get(), { id, kind, title, description, isOfScreen, at: Date.now() }].slice(-MOST))
  setTimeout(() => dismiss(id), SHOWN_MS[kind])
}

/** Messages that disappear after a few seconds. Show an error next to its cause, and here only if there is no such place. */
export const toast = {
  done: (title: string): void => showMessage('done', title),
  failed: (title: string, description?: ReactNode): void => showMessage('failed', title, description),
  /** For an error that this screen, or the next one, also shows: the message must not cover the fix. */
  failedHere: (title: string, description?: ReactNode): void => showMessage('failed', title, description, true),
  /** Messages of one screen must not cover the buttons of the next one. */
  leaveScreen: (): void =>
    shown.set(shown.get().filter(({ kind, isOfScreen, at }) => !isOfScreen && (kind === 'failed' || Date.now() - at < NEW_MS))),
}

const CORNERS = ['right-4 bottom-4', 'right-4 top-16', 'left-4 bottom-4', 'left-4 top-16']
/** How often the position is checked: a form may open, and the page may be scrolled. */
const CHECK_MS = 250

const overlap = (one: DOMRect, other: DOMRect): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/** Moves the messages to the first corner where they cover no primary button. */
function avoidButtons(region: HTMLElement): void {
  const buttons = [...document.querySelectorAll('[data-primary]')]
    .map(button => button.getBoundingClientRect())
    .filter(({ width }) => width > 0)
  const moveTo = (corner: string) => {
    region.dataset.corner = corner
    region.className = cx(REGION, corner)
    return region.getBoundingClientRect()
  }
  const isFree = (corner: string) => {
    const place = moveTo(corner)
    return !buttons.some(button => overlap(place, button))
  }
  const present = region.dataset.corner
  // Messages that cover nothing stay where they are.
  if (present && isFree(present)) return
  moveTo(CORNERS.find(isFree) ?? CORNERS[0]!)
}

const REGION = 'pointer-events-none fixed z-60 w-[min(22rem,calc(100vw-2rem))]'

/** Exists once in the app, even without messages, because screen readers only announce changes of an existing region. */
export function Toasts() {
  const all = shown.use()
  const region = useRef<HTMLElement>(null)
  const isEmpty = all.length === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: each message changes the size of the region
  useLayoutEffect(() => {
    const element = region.current!
    if (isEmpty) {
      delete element.dataset.corner
      return
    }
    avoidButtons(element)
    const timer = setInterval(() => avoidButtons(element), CHECK_MS)
    return () => clearInterval(timer)
  }, [all, isEmpty])
  return (
    <section ref={region} aria-label="Messages" className={REGION}>
      <div aria-live="polite" className="flex flex-col gap-2">
        {all.map(({ id, kind, title, description }) => (
          <div key={id} className="popup rise pointer-events-auto flex items-start gap-2.5 p-3">
            <span className={cx('mt-0.5', kind === 'failed' ? 'text-bad' : 'text-good')}>
              {kind === 'failed' ? <AlertIcon /> : <CheckIcon />}
            </span>
            <div className="min-w-0 flex-1">
              <p className="font-medium text-sm">{title}</p>
              {description ? <div className="text-soft text-xs">{description}</div> : null}
            </div>
            <button type="button" aria-label="Dismiss" onClick={() => dismiss(id)} className="rounded p-0.5 text-faint hover:text-ink">
              <CloseIcon width={14} height={14} />
            </button>
          </div>
        ))}
      </div>
    </section>
  )
}
