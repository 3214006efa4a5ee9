import { createHash } from 'node:crypto'

/** The small pages for recipients and other visitors. They load nothing, run no script and store nothing. */

const STYLE =
  `:root{color-scheme:light dark;--ink:#1c1917;--soft:#57534e;--paper:#fafaf9;--panel:#fff;--line:#e7e5e4;--act:#1c1917;--on-act:#fff;--focus:#c2410c}
@media(prefers-color-scheme:dark){:root{--ink:#f5f5f4;--soft:#a8a29e;--paper:#12100f;--panel:#1c1a19;--line:#35312e;--act:#f5f5f4;--on-act:#1c1917;--focus:#fb923c}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:1.5rem;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:34rem;padding:clamp(1.5rem,5vw,2.5rem);background:var(--panel);border:1px solid var(--line);border-radius:1rem;overflow-wrap:anywhere}
h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.01em;text-wrap:balance;overflow-wrap:normal}
p{margin:0 0 .9rem}p:last-child,form:last-child{margin-bottom:0}
.soft{color:var(--soft);font-size:.9375rem}b{font-weight:600}
a{color:inherit;text-underline-offset:.15em}
form{margin:1.5rem 0}
button{font:inherit;font-weight:600;padding:.7rem 1.4rem;border:0;border-radius:.6rem;background:var(--act);color:var(--on-act);cursor:pointer}
a:focus-visible,button:focus-visible{outline:3px solid var(--focus);outline-offset:3px;border-radius:.3rem}
@media(max-width:30rem){button{width:100%}}`.replaceAll('\n', '')

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

export const HTML_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')

interface PageContent {
  title: string
  /** HTML: whatever strangers wrote must be escaped in it. */
  body: string
  language?: string
  head?: string
}

export const htmlPage = ({ title, body, language = 'en', head = '' }: PageContent): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">${head}<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
