import { cx } from './cx.ts'

/** A placeholder in the size of the content to come, so that nothing jumps when it arrives. */
export function Skeleton({ className }: { className?: string }) {
  return <span className={cx('shimmer block h-4 rounded', className)} aria-hidden="true" />
}

export function SkeletonLines({ count = 3, className }: { count?: number; className?: string }) {
  return (
    <span className={cx('flex flex-col gap-2.5', className)} role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other key
        <Skeleton key={index} className={['w-full', 'w-4/5', 'w-11/12', 'w-3/5'][index % 4]!} />
      ))}
    </span>
  )
}
