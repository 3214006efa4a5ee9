interface Container {
  /** The keys so far; null for an array. */
  keys: Set<string> | null
  /** The latest key or index. */
  place: string | number
}

/** The path of the first key that one object has twice, or null. The text must be valid JSON. */
export function findRepeatedKey(text: string): string | null {
  const open: Container[] = []
  let latestString = ''
  for (let at = 0; at < text.length; at++) {
    const inside = open.at(-1)
    switch (text[at]) {
      case '"': {
        const start = at
        at = endOfString(text, at + 1)
        latestString = text.slice(start, at + 1)
        break
      }
      case ':': {
        const key: string = JSON.parse(latestString)
        inside!.place = key
        if (inside!.keys!.has(key)) return open.map(({ place }) => `/${place}`).join('')
        inside!.keys!.add(key)
        break
      }
      case '{':
        open.push({ keys: new Set(), place: '' })
        break
      case '[':
        open.push({ keys: null, place: 0 })
        break
      case ',':
        if (typeof inside!.place === 'number') inside!.place++
        break
      case ']':
      case '}':
        open.pop()
        break
    }
  }
  return null
}

function endOfString(text: string, start: number): number {
  let at = start
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
