import { answerTasks } from '../lib/budgeted-thread.ts'
import { type Segment, viewSegment } from './columns.ts'
import { type ScanPlan, type Tally, tallyBlocks } from './scan.ts'

/** A thread that helps with scans. It owns nothing: columns and tables are shared memory of the calling thread. */
export interface ScanTask {
  /** Of all segments. The calling thread only ever adds some. */
  memories: readonly SharedArrayBuffer[]
  plan: ScanPlan
  rowCount: number
  next: Int32Array
  withFacets: boolean
}

const segments: Segment[] = []

answerTasks(
  ({ memories, plan, rowCount, next, withFacets }: ScanTask): Tally => {
    for (const memory of memories.slice(segments.length)) segments.push(viewSegment(memory))
    return tallyBlocks(segments, plan, rowCount, next, withFacets)
  },
  tally => [tally.buffer],
)
