import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { cx } from './cx.ts'
import { AlertIcon, CheckIcon, CloseIcon } from './icons.tsx'
import { makeStore } from './store.ts'

interface Said {
  id: number
  kind: 'done' | 'failed'
  title: string
  description: ReactNode
  /** It is of no use on another screen. */
  isOfScreen: boolean
  at: number
}

const SHOWN_MS = { done: 4000, failed: 12_000 }
const MOST = 4
/** What is said while a screen is left is still new on the next one. */
const NEW_MS = 1500

const shown = makeStore<readonly Said[]>([])
let lastId = 0

const dismiss = (id: number): void => shown.set(shown.get().filter(said => said.id !== id))

function say(kind: Said['kind'], title: string, description: ReactNode = null, isOfScreen = false): void {
  lastId += 1
  const id = lastId
  shown.set([...shown.get(), { id, kind, title, description, isOfScreen, at: Date.now() }].slice(-MOST))
  setTimeout(() => dismiss(id), SHOWN_MS[kind])
}

/** Says that something is done, for a few seconds. Errors belong where they arose; say them here only when that place is gone. */
export const toast = {
  done: (title: string): void => say('done', title),
  failed: (title: string, description?: ReactNode): void => say('failed', title, description),
  /** For what this screen, or the next one, shows in full: it does not lie over the remedy. */
  failedHere: (title: string, description?: ReactNode): void => say('failed', title, description, true),
  /** What was read on a screen does not lie over the buttons of the next one. */
  leaveScreen: (): void =>
    shown.set(shown.get().filter(({ kind, isOfScreen, at }) => !isOfScreen && (kind === 'failed' || Date.now() - at < NEW_MS))),
}

/** The corners for messages, the usual one first. */
const CORNERS = ['right-4 bottom-4', 'right-4 top-16', 'left-4 bottom-4', 'left-4 top-16']
/** How often the buttons are looked at again: a form may open, and the page may be scrolled. */
const LOOK_AGAIN_MS = 250

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

/** Stands once in the app. The region exists before any message, because screen readers only notice changes in it. */
export function Toasts() {
  const all = shown.use()
  const region = useRef<HTMLElement>(null)
  const isEmpty = all.length === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each message the region has another size
  useLayoutEffect(() => {
    const element = region.current!
    if (isEmpty) {
      delete element.dataset.corner
      return
    }
    avoidButtons(element)
    const timer = setInterval(() => avoidButtons(element), LOOK_AGAIN_MS)
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
