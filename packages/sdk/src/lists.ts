import type { List, Page } from './calls.ts'
import { OvertureError } from './errors.ts'

/** The first page is requested once, whether the list is awaited or iterated over. */
export function list<T>(load: (cursor: string | undefined) => Promise<Page<T>>): List<T> {
  const first = load(undefined)
  async function* pages(): AsyncGenerator<Page<T>> {
    let page = await first
    yield page
    for (let cursor = page.meta.pagination.nextCursor; cursor !== null; ) {
      page = await load(cursor)
      yield page
      const next = page.meta.pagination.nextCursor
      if (next === cursor)
        throw new OvertureError('The next page of the list is the same page.', { code: 'unexpected_answer', status: 200 })
      cursor = next
    }
  }
  return Object.assign(first, {
    pages,
    async *[Symbol.asyncIterator](): AsyncGenerator<T> {
      for await (const page of pages()) yield* page.data
    },
  })
}
