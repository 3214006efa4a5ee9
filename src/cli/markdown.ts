/** Longer than any run of the same mark in the text, so that the text cannot end it. */
const marksAround = (text: string, least: number): string =>
  '`'.repeat(Math.max(least, ...(text.match(/`+/g) ?? []).map(run => run.length + 1)))

/** A name that somebody else chose, in a line of Markdown: as code it is no heading, link, picture or mention. */
export function codeSpan(text: string): string {
  const marks = marksAround(text, 1)
  const room = /^`|`$|^ .* $/.test(text) ? ' ' : ''
  return `${marks}${room}${text}${room}${marks}`
}

/** Lines of theirs, as a block. */
export function codeBlock(lines: readonly string[], language = ''): string {
  const marks = marksAround(lines.join('\n'), 3)
  return [`${marks}${language}`, ...lines, marks].join('\n')
}
