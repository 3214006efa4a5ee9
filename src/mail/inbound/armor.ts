/**
 * The text without what OpenPGP wraps around it. Of a signed text the words are left. Of an encrypted one nothing is: its letters
 * say nothing to anybody who has not the key, and must not be judged.
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
    // Lines of a signed text that begin with a dash have one more in front.
    else if (state === 'text') kept.push(line.startsWith('- ') ? line.slice(2) : line)
  }
  return kept.join('\n')
}
