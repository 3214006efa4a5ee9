import { Link } from '@tanstack/react-router'
import { buttonClass } from '@/ui/button.tsx'
import { SearchIcon } from '@/ui/icons.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { useDocumentTitle } from '@/ui/use-document-title.ts'

export function NotFound() {
  useDocumentTitle('Not found')
  return (
    <>
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        icon={SearchIcon}
        title="There is nothing here"
        actions={
          <Link to="/" className={buttonClass('secondary')}>
            Go home
          </Link>
        }
      >
        The address leads nowhere, or to something that has been removed.
      </EmptyState>
    </>
  )
}
