import type { Attachment } from 'postal-mime'
import { bytesOf } from '#reply-reader'
import { storableText } from '../../lib/storable-text.ts'

/** An attachment. Name and type come from the sender, made harmless; the content was not checked. */
export interface InboundAttachment {
  filename: string
  contentType: string
  sizeBytes: number
  /** Null when it would exceed the limit per message. */
  content: Uint8Array | null
}

/** More than these are not listed: a message with thousands of attachments is an attack. */
export const MOST_ATTACHMENTS = 50
/** The maximum number of attachment bytes that are kept per message; the first attachments are kept first. */
const MAX_KEPT_BYTES = 10 * 1024 * 1024

/** `isCut`: the end of the message is missing, so its last attachment is not complete and is dropped. */
export function readAttachments(parts: Attachment[], isCut: boolean): InboundAttachment[] {
  let room = MAX_KEPT_BYTES
  return parts.slice(0, MOST_ATTACHMENTS).map((part, index) => {
    const bytes = bytesOf(part)
    const isKept = bytes.length <= room && !(isCut && index === parts.length - 1)
    if (isKept) room -= bytes.length
    return {
      filename: harmlessName(part.filename ?? '') || `attachment-${index + 1}`,
      contentType: harmlessType(part.mimeType),
      sizeBytes: bytes.length,
      content: isKept ? bytes : null,
    }
  })
}

const MAX_NAME_CHARS = 150
const MAX_EXTENSION_CHARS = 20
/** Control characters, and invisible ones that change what is displayed: "exe.gpj" can be shown as "jpg.exe". */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not get through
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]+/g

/** A name for one file, never a path: without folders, hidden or reserved characters, and of a length that every disk takes. */
function harmlessName(name: string): string {
  const [last = ''] = storableText(name, 2000).split(/[\\/]/).slice(-1)
  const plain = last.replace(UNSEEN, ' ').replace(/[<>:"|?*]/g, '_')
  const trimmed = plain
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
    .trim()
  if (trimmed.length <= MAX_NAME_CHARS) return trimmed
  const dot = trimmed.lastIndexOf('.')
  const extension = dot > 0 && trimmed.length - dot <= MAX_EXTENSION_CHARS ? trimmed.slice(dot) : ''
  return storableText(trimmed.slice(0, MAX_NAME_CHARS - extension.length)).trim() + extension
}

const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/

function harmlessType(type: string | undefined): string {
  const plain = (type ?? '').slice(0, 200).trim().toLowerCase()
  return TYPE.test(plain) ? plain : 'application/octet-stream'
}
