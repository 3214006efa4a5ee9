import { parentPort } from 'node:worker_threads'
import { type Segment, viewSegment } from './columns.ts'
import { type ScanPlan, tallyBlocks } from './scan.ts'

/** A thread that helps with scans. It owns nothing: columns and tables are shared memory of the calling thread. */
export type ScanOrder =
  | { kind: 'memories'; memories: SharedArrayBuffer[] }
  | { kind: 'tally'; plan: ScanPlan; rowCount: number; next: Int32Array; withFacets: boolean }

const segments: Segment[] = []

parentPort!.on('message', (order: ScanOrder) => {
  if (order.kind === 'memories') {
    for (const memory of order.memories) segments.push(viewSegment(memory))
    return
  }
  const tally = tallyBlocks(segments, order.plan, order.rowCount, order.next, order.withFacets)
  parentPort!.postMessage(tally, [tally.buffer])
})
