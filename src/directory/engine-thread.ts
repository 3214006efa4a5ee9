import { parentPort, workerData } from 'node:worker_threads'
import { ClickHouseIndex, connectClickHouse } from './clickhouse.ts'
import type { Question } from './column-index.ts'
import { IndexKeeper } from './index-keeper.ts'
import { MemoryIndex } from './memory-index.ts'

/** The thread that owns the index. It loads, follows, resolves and scans, so that none of this blocks the thread that serves requests. */
export type EngineCall =
  | { kind: 'preview'; question: Question; withFacets: boolean }
  | { kind: 'exportIds'; question: Question; limit: number }
  | { kind: 'caughtUp' }
  | { kind: 'stop' }

export type EngineMessage = { id: number; call: EngineCall } | { poke: true }
/** An error cannot be passed between threads whole; its code says whether the database caused it. */
export type EngineAnswer =
  | { id: number; value: unknown }
  | { id: number; error: string; code: unknown }
  | { trouble: string; code: unknown }

export interface EngineOptions {
  databaseUrl: string
  snapshotFile: string
  clickhouseUrl: string
}

const port = parentPort!
const { databaseUrl, snapshotFile, clickhouseUrl } = workerData as EngineOptions
const index = clickhouseUrl ? new ClickHouseIndex(() => connectClickHouse(clickhouseUrl)) : new MemoryIndex({ snapshotFile })
const keeper = new IndexKeeper(index, {
  databaseUrl,
  onTrouble: error => port.postMessage({ trouble: String(error), code: codeOf(error) } satisfies EngineAnswer),
})
keeper.start()

port.on('message', (message: EngineMessage) => {
  if ('poke' in message) return keeper.poke()
  answer(message.call).then(
    value => port.postMessage({ id: message.id, value } satisfies EngineAnswer),
    error =>
      port.postMessage({ id: message.id, error: String((error as Error)?.stack ?? error), code: codeOf(error) } satisfies EngineAnswer),
  )
})

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code
}

async function answer(call: EngineCall): Promise<unknown> {
  switch (call.kind) {
    case 'preview':
      return keeper.preview(call.question, call.withFacets)
    case 'exportIds':
      return keeper.exportIds(call.question, call.limit)
    case 'caughtUp':
      return keeper.caughtUp()
    case 'stop':
      return keeper.stop()
  }
}
