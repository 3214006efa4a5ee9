import type { ReactNode } from 'react'
import { SkeletonLines } from './skeleton.tsx'
import { ErrorState } from './states.tsx'

interface LoadedProps<T> {
  query: { data: T | undefined; error: unknown; refetch: () => unknown }
  /** The heading of a page that shows nothing else. */
  page?: string
  /** The height of the skeleton. */
  lines?: number
  className?: string
  children: (data: T) => ReactNode
}

/** The data of a query; until then, a skeleton or the error. Data that was loaded once stays, even if loading it again fails. */
export function Loaded<T>({ query: { data, error, refetch }, page, lines = 4, className, children }: LoadedProps<T>) {
  if (data !== undefined) return children(data)
  if (error) return <ErrorState {...(page ? { page } : {})} error={error} onRetry={() => void refetch()} className={className} />
  return <SkeletonLines count={lines} {...(className ? { className } : {})} />
}
