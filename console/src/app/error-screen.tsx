import { OvertureError } from '@overture/sdk'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useDocumentTitle } from '@/ui/page.tsx'
import { ErrorState } from '@/ui/states.tsx'

/** Replaces a screen that failed. The rest of the console stays usable. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  return (
    <div className="mx-auto max-w-2xl pt-[10vh]">
      <ErrorState error={error} onRetry={reset} />
    </div>
  )
}

const NOT_FOUND = new OvertureError('The address may be wrong, or the page was removed.', { code: 'not_found' })

export function NotFound() {
  useDocumentTitle('Not found')
  return <ErrorState page="Page not found" error={NOT_FOUND} />
}
