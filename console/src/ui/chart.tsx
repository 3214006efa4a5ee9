import { Suspense } from 'react'
import type { ChartProps } from './chart-lines.ts'
import { lazyCode } from './lazy-part.ts'
import { Skeleton } from './skeleton.tsx'

const Canvas = lazyCode(() => import('./chart-canvas.tsx').then(module => module.ChartCanvas))

/** Lines over time. What draws them is loaded with the first chart. */
export function Chart(props: ChartProps) {
  return (
    <figure aria-label={props.label}>
      <Suspense
        fallback={
          <div style={{ height: props.height ?? 220 }}>
            <Skeleton className="size-full" />
          </div>
        }
      >
        <Canvas {...props} />
      </Suspense>
    </figure>
  )
}
