import { createWriteStream } from 'node:fs'
import { access, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Overture } from '../../../packages/sdk/src/client.ts'
import { CommandFailed, EXIT } from '../../lib/command-failure.ts'

interface Import {
  campaignId: string
  operationId: string
}

/** Writes the rejected rows to a file beside the imported one, and returns its path. */
export async function saveRejectedRows(service: Overture, { campaignId, operationId }: Import, path: string): Promise<string> {
  const target = await freeName(path)
  try {
    const response = await service.leads.downloadRejectedRows(campaignId, operationId)
    // They are personal data, so only their owner may read them.
    await pipeline(Readable.fromWeb(response.body!), createWriteStream(target, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    await rm(target, { force: true })
    const next = `overture api leads.downloadRejectedRows --campaignId ${campaignId} --operationId ${operationId} > rejected.csv`
    const why = error instanceof Error ? error.message : String(error)
    throw new CommandFailed(
      EXIT.failed,
      'rejected_rows_not_saved',
      `The file was imported, but its rejected rows could not be saved: ${why}`,
      next,
    )
  }
  return target
}

/** The file of an earlier import may have been corrected and not imported yet, so it is not overwritten. */
async function freeName(path: string): Promise<string> {
  for (let count = 1; ; count++) {
    const name = `${path}.rejected${count === 1 ? '' : `-${count}`}.csv`
    const isTaken = await access(name).then(
      () => true,
      () => false,
    )
    if (!isTaken) return name
  }
}
