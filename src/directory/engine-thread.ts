import { setFlagsFromString } from 'node:v8'
import { workerData } from 'node:worker_threads'
import { answerTasks } from '../lib/budgeted-thread.ts'
import { buildInClickHouse, connectClickHouse } from './clickhouse.ts'
import { buildColumnIndex } from './column-index.ts'
import { IndexKeeper } from './index-keeper.ts'
import type { Question } from './records.ts'

/** The thread that owns the index. It loads, follows, resolves and scans, so that none of this blocks the thread that serves requests. */
export type EngineCall =
  | { kind: 'preview'; question: Question; withFacets: boolean }
  | { kind: 'exportIds'; question: Question; limit: number }
  | { kind: 'caughtUp' }
  /** The directory may have changed. */
  | { kind: 'poke' }
  | { kind: 'stop' }

/** Sent on its own when the index cannot follow the directory. The code says whether the database is the cause. */
export interface Trouble {
  trouble: string
  code: unknown
}

export interface EngineOptions {
  databaseUrl: string
  clickhouseUrl: string
}

// The first optimizing compiler of V8 would put the loops of a scan into the function that calls them, where the second one never gets to them:
// previews would take twice as long. The flag is that of the process.
setFlagsFromString('--no-maglev-inlining')

const { databaseUrl, clickhouseUrl } = workerData as EngineOptions
const build = clickhouseUrl ? buildInClickHouse(() => connectClickHouse(clickhouseUrl)) : buildColumnIndex
const keeper = new IndexKeeper(build, {
  databaseUrl,
  onTrouble: error => tell({ trouble: String(error), code: (error as { code?: unknown } | null)?.code } satisfies Trouble),
})

const tell = answerTasks((call: EngineCall): unknown => {
  switch (call.kind) {
    case 'preview':
      return keeper.preview(call.question, call.withFacets)
    case 'exportIds':
      return keeper.exportIds(call.question, call.limit)
    case 'caughtUp':
      return keeper.caughtUp()
    case 'poke':
      return keeper.poke()
    case 'stop':
      return keeper.stop()
  }
})
keeper.start()
