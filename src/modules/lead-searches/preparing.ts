import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/client.ts'
import { besideOthers, whileOurs } from '../../operations/steps.ts'
import type { OperationWith } from '../../operations/tasks.ts'
import { beginChoice, type Choice, endChoice, lockForPart, storePart } from '../exports/choosing.ts'
import { type ExportRow, getExportOfOperation } from '../exports/exports.ts'
import { writeFile } from '../exports/file.ts'
import type { ExportProgress, Order } from './schema.ts'
import { handOverPeople } from './selection.ts'

type Ordered = OperationWith<Order>
type Report = (progress: ExportProgress) => void

/** Everything before the payment: the choice of the people, and the file. Each step is stored, so that a new attempt continues after it. */
export async function prepareExport(ctx: Context, operation: Ordered, signal: AbortSignal, report: Report): Promise<ExportRow> {
  const find = (): Promise<ExportRow | undefined> => getExportOfOperation(ctx.db, operation.id)
  let isFixed = (await find())?.isFixed ?? false
  while (!isFixed) isFixed = await storePeople(ctx, operation, signal, report)
  const exported = (await find())!
  if (exported.fileRevision === exported.revision) return exported
  const tell = (writtenCount: number): void => report({ leadCount: exported.leadCount, writtenCount })
  tell(0)
  await writeFile(ctx, exported, work => whileOurs(ctx, operation, work), signal, tell)
  return (await find())!
}

/**
 * Stores people as soon as they are chosen, and with them the file, unless it belongs in an object store. False when somebody was erased
 * from the export meanwhile: then everybody must be chosen again.
 */
async function storePeople(ctx: Context, operation: Ordered, signal: AbortSignal, report: Report): Promise<boolean> {
  const { id, workspaceId, input: order } = operation
  const withFile = ctx.objects === null
  let choice!: Choice
  let leadCount = 0
  const tell = (): void => {
    if (withFile) report({ leadCount, writtenCount: choice.rowCount })
  }
  const directoryVersion = await handOverPeople(ctx, workspaceId, order.filters, order.leadCount, {
    async begin(count) {
      const ordered = { id, workspaceId, requestedCount: order.leadCount }
      choice = await whileOurs(ctx, operation, tx => beginChoice(tx, ordered, withFile, ctx.clock.now()))
      leadCount = count
      tell()
    },
    async take(people, after) {
      signal.throwIfAborted()
      const lock = (tx: Tx): Promise<unknown> => lockForPart(tx, choice)
      const part = await besideOthers(ctx, operation, lock, tx => storePart(tx, choice, people, after))
      choice.rowCount += part.rowCount
      choice.byteLength += part.byteLength
      tell()
    },
  })
  return whileOurs(ctx, operation, tx => endChoice(tx, choice, directoryVersion))
}
