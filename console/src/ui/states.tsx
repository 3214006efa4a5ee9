import type { ReactNode } from 'react'
import { explainError } from '@/api/errors.ts'
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

/** Page not found yet: says what would be here, and how it begins. */
export const EmptyState = (props: Omit<StateProps, 'tone'>) => <State {...props} />

/** The token behind the session lacks a scope. */
export function NoPermission({ scope, className }: { scope?: string | null; className?: string | undefined }) {
  return (
    <State icon={LockIcon} title="No access" className={className}>
      {scope ? (
        <>
          Your role or token lacks the scope <code className="font-mono text-ink">{scope}</code>. Ask an admin for another role.
        </>
      ) : (
        'Your role or token lacks the required scope. Ask an admin for another role.'
      )}
    </State>
  )
}

interface FailureProps {
  error: unknown
  onRetry?: () => void
  className?: string | undefined
}

/** Something could not be loaded: what, why, and what to do about it. `page` is the heading of a page that shows nothing else. */
export function ErrorState({ page, ...failure }: FailureProps & { page?: string }) {
  return (
    <>
      {page ? <h1 className="sr-only">{page}</h1> : null}
      <Failure {...failure} />
    </>
  )
}

function Failure({ error, onRetry, className }: FailureProps) {
  const { title, message, requestId, scope, isPermission, isMissing } = explainError(error)
  if (isMissing) {
    return (
      <State
        icon={SearchIcon}
        title={title}
        className={className}
        actions={
          <a href="/" className={buttonClass('secondary')}>
            Go to Home
          </a>
        }
      >
        {message}
      </State>
    )
  }
  if (isPermission) return <NoPermission scope={scope} className={className} />
  return (
    <State
      icon={AlertIcon}
      tone="bad"
      title={title}
      className={className}
      actions={
        <>
          {onRetry ? (
            <Button icon={RefreshIcon} onClick={onRetry}>
              Try again
            </Button>
          ) : null}
          {requestId ? <CopyButton text={requestId} label="Copy request id" /> : null}
        </>
      }
    >
      {message}
    </State>
  )
}

/** The same within a form or a card: small, and it leaves the rest where it is. */
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
            <li key={`${issue.path}${issue.message}`}>
              <code className="font-mono text-xs">{issue.path.replace(/^\//, '') || issue.in}</code> {issue.message}
            </li>
          ))}
        </ul>
      ) : null}
      {requestId ? <p className="mt-1 font-mono text-2xs">Request {requestId}</p> : null}
    </div>
  )
}
