// The findings of a receiving server about a message, which it adds to the headers (RFC 8601).

interface MethodResult {
  method: string
  result: string
  /** The properties of the result, such as `header.d` of a signature. Names are in lower case. */
  properties: ReadonlyMap<string, string>
}

export interface AuthenticationResults {
  /** The server that added the header. */
  by: string
  results: MethodResult[]
}

const MOST_CHARS = 8000
const MOST_RESULTS = 50

/**
 * Reads one header. The caller must give the topmost one: every server puts its own on top, and anything below may have
 * been written by the sender of the message.
 */
export function readAuthenticationResults(header: string): AuthenticationResults | null {
  const [first = [], ...rest] = partsOf(header.slice(0, MOST_CHARS))
  const by = first[0]
  if (by === undefined || by.includes('=')) return null
  const results = rest.slice(0, MOST_RESULTS).flatMap(words => {
    const [method, result] = pairOf(words[0] ?? '')
    if (result === null) return []
    const properties = new Map<string, string>()
    for (const word of words.slice(1)) {
      const [name, value] = pairOf(word)
      if (value !== null && !properties.has(name)) properties.set(name, value)
    }
    // `dkim/1=pass` names the version of the method.
    return [{ method: method.split('/')[0]!, result: result.toLowerCase(), properties }]
  })
  return { by: by.toLowerCase(), results }
}

function pairOf(word: string): [name: string, value: string | null] {
  const at = word.indexOf('=')
  return at < 1 ? [word.toLowerCase(), null] : [word.slice(0, at).toLowerCase(), word.slice(at + 1)]
}

/** The words between semicolons, without comments and quotes, in one pass. Blanks around an equals sign belong to it. */
function partsOf(text: string): string[][] {
  const parts: string[][] = [[]]
  let word = ''
  const endWord = (): void => {
    const words = parts.at(-1)!
    const last = words.at(-1)
    if (word === '') return
    if (last !== undefined && (word.startsWith('=') || last.endsWith('='))) words[words.length - 1] = last + word
    else words.push(word)
    word = ''
  }
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === '(') at = endOfComment(text, at)
    else if (char === '"') {
      const end = endOfQuote(text, at)
      word += text.slice(at + 1, end).replace(/\\(.?)/gs, '$1')
      at = end
    } else if (char === ';') {
      endWord()
      parts.push([])
    } else if (/\s/.test(char)) endWord()
    else if (char !== ')') word += char
  }
  endWord()
  return parts
}

/** The end of the comment that begins at `start`; comments may contain comments. */
function endOfComment(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at
  }
  return text.length
}

function endOfQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}
