/**
 * Removes the wrapping of OpenPGP. The words of a signed text remain. Of an encrypted text nothing remains, because its letters
 * mean nothing without the key.
 */
export function withoutArmor(text: string): string {
  if (!text.includes('-----BEGIN PGP ')) return text
  const kept: string[] = []
  let state: 'text' | 'header' | 'block' = 'text'
  for (const line of text.split('\n')) {
    const head = line.trim()
    if (head === '-----BEGIN PGP SIGNED MESSAGE-----') state = 'header'
    else if (head.startsWith('-----BEGIN PGP ')) state = 'block'
    else if (head.startsWith('-----END PGP ')) state = 'text'
    else if (state === 'header' && head === '') state = 'text'
    // In a signed text, lines that begin with a dash are escaped with another one.
    else if (state === 'text') kept.push(line.startsWith('- ') ? line.slice(2) : line)
  }
  return kept.join('\n')
}
