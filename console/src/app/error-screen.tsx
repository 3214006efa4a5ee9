import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { buttonClass } from '@/ui/button.tsx'
import { SearchIcon } from '@/ui/icons.tsx'
import { useDocumentTitle } from '@/ui/page.tsx'
import { EmptyState, ErrorState } from '@/ui/states.tsx'

/** Replaces a screen that failed. The rest of the console stays usable. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  return (
    <div className="mx-auto max-w-2xl pt-[10vh]">
      <ErrorState error={error} onRetry={reset} />
    </div>
  )
}

export function NotFound() {
  useDocumentTitle('Not found')
  return (
    <>
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        icon={SearchIcon}
        title="Page not found"
        actions={
          <Link to="/" className={buttonClass('secondary')}>
            Go to Home
          </Link>
        }
      >
        The address may be wrong, or the page was removed.
      </EmptyState>
    </>
  )
}
