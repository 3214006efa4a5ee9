import type { List, Page } from './calls.ts'

/** The first page is requested once, whether the list is awaited or iterated over. */
export function list<T>(load: (cursor: string | undefined) => Promise<Page<T>>): List<T> {
  const first = load(undefined)
  async function* pages(): AsyncGenerator<Page<T>> {
    let page = await first
    yield page
    while (page.meta.pagination.nextCursor !== null) {
      page = await load(page.meta.pagination.nextCursor)
      yield page
    }
  }
  return Object.assign(first, {
    pages,
    async *[Symbol.asyncIterator](): AsyncGenerator<T> {
      for await (const page of pages()) yield* page.data
    },
  })
}
