import { hash32 } from '../../lib/hash.ts'

/**
 * Spintax: `{Hi|Hello|Good morning}` picks one option per send.
 *
 * The groups are rewritten into Liquid `case` tags before the template is parsed, so that one parse serves every send,
 * every option is checked for mistakes (not only the one that happened to be picked), and a lead's own data can never
 * be read as spintax.
 */

interface SpintaxRewrite {
  /** The template with every group replaced by a Liquid `case` on `_spin<n>`. */
  source: string
  /** How many options each group has; the index is the group's number. */
  groups: number[]
}

const MAX_GROUPS = 200

export function rewriteSpintax(source: string): SpintaxRewrite {
  const groups: number[] = []
  const rewritten = rewriteText(source, groups)
  return { source: rewritten, groups }
}

/** The variables that pick one option per group, the same ones for the same seed. */
export function spintaxChoices(groups: number[], seed: string): Record<string, number> {
  const choices: Record<string, number> = {}
  groups.forEach((options, index) => {
    choices[`_spin${index}`] = hash32(`${seed}:${index}`) % options
  })
  return choices
}

function rewriteText(text: string, groups: number[]): string {
  let out = ''
  let at = 0
  while (at < text.length) {
    const liquidEnd = endOfLiquid(text, at)
    if (liquidEnd > at) {
      out += text.slice(at, liquidEnd)
      at = liquidEnd
      continue
    }
    if (text[at] === '{') {
      const group = readGroup(text, at)
      if (group && groups.length < MAX_GROUPS) {
        const index = groups.length
        groups.push(group.options.length)
        const whens = group.options.map((option, i) => `{% when ${i} %}${rewriteText(option, groups)}`)
        out += `{% case _spin${index} %}${whens.join('')}{% endcase %}`
        at = group.end
        continue
      }
    }
    out += text[at]
    at += 1
  }
  return out
}

/** Where the Liquid output or tag that starts here ends; `at` itself when none starts here. A raw block is one piece. */
function endOfLiquid(text: string, at: number): number {
  if (text.startsWith('{{', at)) {
    const end = text.indexOf('}}', at + 2)
    return end < 0 ? text.length : end + 2
  }
  if (text.startsWith('{%', at)) {
    const end = text.indexOf('%}', at + 2)
    if (end < 0) return text.length
    if (/^\{%-?\s*raw\s*-?%\}$/.test(text.slice(at, end + 2))) {
      const close = /\{%-?\s*endraw\s*-?%\}/g
      close.lastIndex = end
      const match = close.exec(text)
      return match ? close.lastIndex : text.length
    }
    return end + 2
  }
  return at
}

/** A group has a closing brace and at least one bar of its own; anything else (for example a CSS rule) stays unchanged. */
function readGroup(text: string, start: number): { options: string[]; end: number } | undefined {
  const options: string[] = []
  let optionStart = start + 1
  let depth = 0
  let at = start + 1
  while (at < text.length) {
    const liquidEnd = endOfLiquid(text, at)
    if (liquidEnd > at) {
      at = liquidEnd
      continue
    }
    const char = text[at]
    if (char === '{') depth += 1
    else if (char === '}') {
      if (depth === 0) {
        options.push(text.slice(optionStart, at))
        return options.length > 1 ? { options, end: at + 1 } : undefined
      }
      depth -= 1
    } else if (char === '|' && depth === 0) {
      options.push(text.slice(optionStart, at))
      optionStart = at + 1
    }
    at += 1
  }
  return undefined
}
