import type { Context } from '../../context/context.ts'
import { MailReader, makeMailReader } from '../../mail/reading/mail-reader.ts'

export const DEMO_THREAD = new URL('./reading-thread.ts', import.meta.url)

/**
 * The people of the demo answer in words that are known, and so is how these are read: a first start does not wait until the reader of
 * all other mail has learnt from examples, which takes more than a second of processor.
 */
export async function withDemoReader<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  const reader = new MailReader(DEMO_THREAD)
  // Until the first of them answers, the thread has time to get ready.
  reader.warmUp()
  const part: Context['part'] = make => ((make as unknown) === makeMailReader ? (reader as ReturnType<typeof make>) : ctx.part(make))
  try {
    return await work({ ...ctx, part })
  } finally {
    await reader.stop()
  }
}
