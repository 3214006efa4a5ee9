import type { Context } from '../context/context.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { AppError } from '../lib/errors.ts'
import type { Page, Position } from '../lib/page.ts'
import type { ApiReply, ApiRequest } from './route.ts'

interface PageQuery {
  limit?: number
  cursor?: string
}

/** A page of the list that these filters make. */
interface ListPage extends Page {
  filters: Record<string, unknown>
  /** The number of rows to show, if it is below the limit; there must be another row. */
  most?: number
}

type ListRequest = ApiRequest<unknown, PageQuery & Record<string, unknown>, unknown>

/**
 * The cursor is signed, and bound to the path and the filters for which it was created: a cursor that was altered, or
 * comes from another workspace or another list, is refused. The limit may change. A list whose filters have defaults
 * passes in the resulting values, so that a default is the same whether it is sent or not.
 */
export function readPage(request: ListRequest, filters: Record<string, unknown> = {}): ListPage {
  const { limit = 50, cursor, ...asked } = request.query
  const page = { limit, filters: { ...asked, ...filters } }
  if (cursor === undefined) return { ...page, after: null }
  const payload = request.ctx.secrets.openSignedToken('cursor', cursor, bindingOf(request, page.filters))
  if (payload === null) throw new AppError('invalid_cursor', 'This cursor does not belong to this list. Start again without one.')
  const [at, id] = JSON.parse(payload) as [number, string]
  return { ...page, after: { at: new Date(at), id } }
}

/** Rows may have texts of hundreds of kilobytes, and a hundred of them would be a response that fills the memory: such a page ends earlier. */
const MOST_SIZE = 4 * 1024 * 1024

const sizeOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((size: number, each) => size + sizeOf(each), 0)
    : String(value).length

/** Query one row more than the limit: its presence is `hasMore`. */
export function listReply<R>(
  request: ListRequest,
  page: ListPage,
  rows: R[],
  positionOf: (row: R) => Position,
  present: (row: R, ctx: Context) => unknown,
): ApiReply {
  const data: unknown[] = []
  let size = 0
  for (const row of rows.slice(0, page.most ?? page.limit)) {
    const shown = present(row, request.ctx)
    data.push(shown)
    size += sizeOf(shown)
    if (size > MOST_SIZE) break
  }
  const hasMore = rows.length > data.length
  const last = rows[data.length - 1]
  const nextCursor = hasMore && last ? cursorAt(request, page, positionOf(last)) : null
  return {
    status: 200,
    body: {
      data,
      links: { self: request.ctx.link(request.url), next: nextCursor ? nextLink(request, nextCursor) : null },
      meta: { pagination: { nextCursor, hasMore, limit: page.limit } },
    },
  }
}

/** The usual order of a list: by the time of creation. */
export async function newestFirstReply<R extends { createdAt: Date; id: string }>(
  request: ListRequest,
  list: (page: Page) => Promise<R[]>,
  present: (row: R, ctx: Context) => unknown,
): Promise<ApiReply> {
  const page = readPage(request)
  return listReply(request, page, await list(page), ({ createdAt, id }) => ({ at: createdAt, id }), present)
}

function cursorAt(request: ListRequest, { filters }: ListPage, position: Position): string {
  return request.ctx.secrets.signedToken('cursor', JSON.stringify([position.at.getTime(), position.id]), bindingOf(request, filters))
}

const bindingOf = (request: ListRequest, filters: Record<string, unknown>): string => `${request.path}:${canonicalJson(filters)}`

function nextLink(request: ListRequest, cursor: string): string {
  const url = new URL(request.ctx.link(request.url))
  url.searchParams.set('cursor', cursor)
  return url.toString()
}
