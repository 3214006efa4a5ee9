import type { Context } from '../../context/context.ts'
import type { AttachmentRow } from './attachment-queries.ts'

export function presentAttachment(row: AttachmentRow, workspaceId: string, replyId: string, ctx: Pick<Context, 'link'>) {
  const { id, filename, contentType, sizeBytes, isKept } = row
  const links = { self: ctx.link(`/v1/workspaces/${workspaceId}/replies/${replyId}/attachments/${id}`) }
  return { id, filename, contentType, sizeBytes, isKept, links }
}

/**
 * For saving, never for display: a stranger chose the name, the type and the bytes. The response has a type that no program
 * runs; the type that the sender claims is in the list.
 */
export const downloadHeaders = (filename: string, sizeBytes: number): Record<string, string> => ({
  'content-type': 'application/octet-stream',
  'content-length': String(sizeBytes),
  'content-disposition': `attachment; filename="${plainName(filename)}"; filename*=UTF-8''${encodedName(filename)}`,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
})

/** For programs that do not know the other form (RFC 6266), without characters that cannot be quoted. */
const plainName = (name: string): string => name.replace(/[^\x20-\x7e]|["\\%;]/g, '_')

/** RFC 8187: the platform's function leaves a few characters that do not belong here. */
const encodedName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
