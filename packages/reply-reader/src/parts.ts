/** A part of a message other than its text, as mail parsers return it. */
export interface Attachment {
  mimeType: string
  content: ArrayBuffer | Uint8Array | string
}

/** The content is text only if the parser decodes it. Ours does not, because most attachments are not text. */
export function bytesOf({ content }: Pick<Attachment, 'content'>): Uint8Array {
  if (content instanceof Uint8Array) return content
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}

/** The beginning of an attachment as text, up to this many bytes. */
export function textOf(part: Pick<Attachment, 'content'>, maxBytes: number, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  const bytes = bytesOf(part)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding, 0, maxBytes)
}
