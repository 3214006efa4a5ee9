import { qualityOf } from './languages.ts'

const MOST_CHARS = 1000

/** The form that an `Accept` header names; null when it accepts both, as the headers of most programs do. */
export function preferredForm(header: string | null | undefined): 'html' | 'json' | null {
  const qualities = { html: 0, json: 0 }
  for (const part of (header ?? '').slice(0, MOST_CHARS).split(',')) {
    const [type, ...parameters] = part.split(';')
    const name = type!.trim().toLowerCase()
    if (name === 'text/html' || name === 'application/xhtml+xml') qualities.html = Math.max(qualities.html, qualityOf(parameters))
    if (name === 'application/json') qualities.json = Math.max(qualities.json, qualityOf(parameters))
  }
  if (qualities.html === 0 && qualities.json === 0) return null
  return qualities.html >= qualities.json ? 'html' : 'json'
}
