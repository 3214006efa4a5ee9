import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorState } from '@/ui/states.tsx'

/** For what a screen did not expect. The rest of the app stays usable around it. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  return (
    <div className="mx-auto max-w-2xl pt-[10vh]">
      <ErrorState error={error} onRetry={reset} />
    </div>
  )
}
