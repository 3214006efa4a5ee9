import type { ReactNode } from 'react'
import type { ExampleLanguage } from './examples.ts'

const PATTERNS: Record<ExampleLanguage | 'json', RegExp> = {
  curl: /(?<text>'(?:[^']|'\\'')*'|"[^"]*")|(?<word>\bcurl\b)|(?<mark>(?<=\s)-{1,2}[A-Za-z-]+)/g,
  typescript:
    /(?<text>'(?:[^'\\\n]|\\.)*')|(?<word>\b(?:import|from|const|await|new|for|of|process)\b)|(?<mark>\b(?:true|false|null|\d[\d.]*)\b)/g,
  python: /(?<text>f?"(?:[^"\\\n]|\\.)*")|(?<word>\b(?:import|with|as|for|in|print)\b)|(?<mark>\b(?:True|False|None|\d[\d.]*)\b)/g,
  json: /(?<word>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<text>"(?:[^"\\]|\\.)*")|(?<mark>\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*)/g,
}

const LOOKS: Record<string, string> = { text: 'text-good', word: 'text-accent-ink', mark: 'text-warn' }

/** Colours for the eye; the text stays as it is. */
export function Highlighted({ code, language }: { code: string; language: ExampleLanguage | 'json' }) {
  const parts: ReactNode[] = []
  let at = 0
  for (const match of code.matchAll(PATTERNS[language])) {
    const kind = Object.keys(LOOKS).find(name => match.groups?.[name] !== undefined)!
    parts.push(code.slice(at, match.index))
    parts.push(
      <span key={match.index} className={LOOKS[kind]}>
        {match[0]}
      </span>,
    )
    at = match.index + match[0].length
  }
  return (
    <>
      {parts}
      {code.slice(at)}
    </>
  )
}
