import { cx } from './cx.ts'

/** Stands where something will be, in its size, so that nothing jumps when it comes. */
export function Skeleton({ className }: { className?: string }) {
  return <span className={cx('shimmer block h-4 rounded', className)} aria-hidden="true" />
}

export function SkeletonLines({ count = 3, className }: { count?: number; className?: string }) {
  return (
    <span className={cx('flex flex-col gap-2.5', className)} role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={index} className={['w-full', 'w-4/5', 'w-11/12', 'w-3/5'][index % 4]!} />
      ))}
    </span>
  )
}
