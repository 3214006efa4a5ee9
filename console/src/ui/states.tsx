import type { ReactNode } from 'react'
import { explainError } from '@/api/errors.ts'
import { issueWords } from '@/api/issue-words.ts'
import { Button, buttonClass } from './button.tsx'
import { CopyButton } from './copy.tsx'
import { cx } from './cx.ts'
import { AlertIcon, type Icon, LockIcon, RefreshIcon, SearchIcon } from './icons.tsx'

interface StateProps {
  icon?: Icon
  title: string
  children?: ReactNode
  actions?: ReactNode
  tone?: 'calm' | 'bad'
  className?: string | undefined
}

function State({ icon: Glyph, title, children, actions, tone = 'calm', className }: StateProps) {
  return (
    <div className={cx('rise flex flex-col items-center justify-center gap-1 px-6 py-14 text-center', className)}>
      {Glyph ? (
        <span
          className={cx(
            'mb-3 grid size-10 place-items-center rounded-xl border',
            tone === 'bad' ? 'border-transparent bg-bad-wash text-bad' : 'border-line bg-sunken text-faint',
          )}
        >
          <Glyph width={20} height={20} />
        </span>
      ) : null}
      <h2 className="font-semibold text-base">{title}</h2>
      <div className="max-w-md text-balance text-soft">{children}</div>
      {actions ? <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  )
}

/** For a list without entries: explains what appears there and how to create the first one. */
export const EmptyState = (props: Omit<StateProps, 'tone'>) => <State {...props} />

export function NoPermission({ scope, className }: { scope?: string | null; className?: string | undefined }) {
  return (
    <State icon={LockIcon} title="No access" className={className}>
      <span title={scope ? `Missing scope: ${scope}` : undefined}>Your role or token does not allow this. Ask an admin to change it.</span>
    </State>
  )
}

interface ErrorStateProps {
  error: unknown
  onRetry?: () => void
  /** The heading of a page that shows nothing else. */
  page?: string
  className?: string | undefined
}

/** Explains why something could not be loaded, and what to do about it. */
export function ErrorState({ error, onRetry, page, className }: ErrorStateProps) {
  const { title, message, requestId, scope, isPermission, isMissing } = explainError(error)
  const actions = isMissing ? (
    <a href="/" className={buttonClass('secondary')}>
      Go to Home
    </a>
  ) : (
    <>
      {onRetry ? (
        <Button icon={RefreshIcon} onClick={onRetry}>
          Try again
        </Button>
      ) : null}
      {requestId ? <CopyButton text={requestId} label="Copy request ID" /> : null}
    </>
  )
  const look = isMissing ? ({ icon: SearchIcon } as const) : ({ icon: AlertIcon, tone: 'bad' } as const)
  return (
    <>
      {page ? <h1 className="sr-only">{page}</h1> : null}
      {isPermission ? (
        <NoPermission scope={scope} className={className} />
      ) : (
        <State {...look} title={title} className={className} actions={actions}>
          {message}
        </State>
      )}
    </>
  )
}

/** An error within a form or a card, without replacing its content. */
export function ErrorNote({ error, title, className }: { error: unknown; title?: string; className?: string | undefined }) {
  if (!error) return null
  const { title: usual, message, requestId, issues } = explainError(error)
  return (
    <div role="alert" className={cx('rise rounded-lg bg-bad-wash px-3 py-2.5 text-bad text-sm', className)}>
      <p className="font-medium">{title ?? usual}</p>
      <p className="opacity-90">{message}</p>
      {issues.length > 1 ? (
        <ul className="mt-1 list-disc pl-4">
          {issues.map(issue => (
            <li key={`${issue.path}${issue.message}`}>{issueWords(issue)}</li>
          ))}
        </ul>
      ) : null}
      {requestId ? <p className="mt-1 font-mono text-2xs">Request {requestId}</p> : null}
    </div>
  )
}
