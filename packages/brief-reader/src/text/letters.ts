const ASCII = /^[\0-~]*$/

/**
 * A pattern over the letters of all languages takes milliseconds to compile, and most texts have plain letters only: for these
 * the same pattern over a to z. Letters must stand in classes: "[\\p{L}]".
 */
export function forLettersOf(pattern: RegExp): (text: string) => RegExp {
  let plain: RegExp | undefined
  return text => {
    if (!ASCII.test(text)) return pattern
    plain ??= new RegExp(pattern.source.replaceAll('\\p{L}', 'a-zA-Z').replaceAll('\\p{M}', ''), pattern.flags)
    return plain
  }
}
