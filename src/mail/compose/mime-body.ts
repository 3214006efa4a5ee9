import { hash } from 'node:crypto'

/** The parts of a message below its headers, and how they are encoded. */

export function alternative(messageId: string, text: string, html: string): string {
  const parts = [textPart('plain', text), textPart('html', html)]
  // "=_" never occurs in quoted-printable. In other encodings, we try boundaries until the content does not contain one.
  let boundary = boundaryOf(messageId)
  while (parts.some(part => part.includes(boundary))) boundary = boundaryOf(boundary)
  const [plain, rich] = parts
  return (
    `Content-Type: multipart/alternative;\r\n boundary="${boundary}"\r\n\r\n` +
    `--${boundary}\r\n${plain}\r\n--${boundary}\r\n${rich}\r\n--${boundary}--\r\n`
  )
}

const boundaryOf = (seed: string): string => `=_${hash('sha256', seed).slice(0, 32)}`

export function textPart(subtype: 'plain' | 'html', content: string): string {
  const whole = content.toWellFormed().replaceAll('\u0000', '')
  const lines = (whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole).split('\n')
  const { encoding, body } = encodeBody(lines)
  return [
    `Content-Type: text/${subtype}; charset=utf-8`,
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    body,
    ...(body.endsWith('\r\n') ? [] : ['']),
  ].join('\r\n')
}

function encodeBody(lines: string[]): { encoding: string; body: string } {
  if (lines.every(line => line.length <= 76 && /^[\x20-\x7e\t]*$/.test(line) && !/^From |[ \t]$/.test(line))) {
    return { encoding: '7bit', body: lines.join('\r\n') }
  }
  const whole = lines.join('\r\n')
  // Quoted-printable needs three characters for each byte that is not ASCII; base64 needs four for any three bytes.
  const bytes = Buffer.byteLength(whole)
  if (bytes > whole.length && eightBitBytes(whole) > bytes / 4) {
    return {
      encoding: 'base64',
      body: (
        Buffer.from(whole)
          .toString('base64')
          .match(/.{1,76}/g) ?? []
      ).join('\r\n'),
    }
  }
  return { encoding: 'quoted-printable', body: lines.map(quotedPrintable).join('\r\n') }
}

function eightBitBytes(text: string): number {
  const bytes = Buffer.from(text)
  let count = 0
  for (let at = 0; at < bytes.length; at++) if (bytes[at]! > 126) count++
  return count
}

const QP_WIDTH = 75

const bytesOf = (run: string): string => (run === '=' ? '=3D' : Buffer.from(run).toString('hex').toUpperCase().replace(/../g, '=$&'))

/** Escapes whole runs and cuts whole lines: a campaign's text goes through here once for every recipient. */
function quotedPrintable(line: string): string {
  let escaped = line.replace(/[^\t\x20-\x3c\x3e-\x7e]+/g, bytesOf)
  // Old mail stores write ">From", which breaks a DKIM signature.
  if (escaped.startsWith('From ')) escaped = bytesOf('F') + escaped.slice(1)
  if (escaped.endsWith(' ') || escaped.endsWith('\t')) escaped = escaped.slice(0, -1) + bytesOf(escaped.slice(-1))
  if (escaped.length <= QP_WIDTH) return escaped
  const cut: string[] = []
  for (let from = 0; from < escaped.length; ) {
    let to = from + QP_WIDTH
    // A line that begins after a cut must not begin with it, either.
    if (escaped.startsWith('From ', to)) to -= 1
    // An escaped byte stays in one piece.
    if (escaped[to - 1] === '=') to -= 1
    else if (escaped[to - 2] === '=') to -= 2
    cut.push(escaped.slice(from, to))
    from = to
  }
  return cut.join('=\r\n')
}
