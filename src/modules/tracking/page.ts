/** The pages that a recipient sees. They name no stranger's address in full, load nothing and keep nothing. */

const STYLE = 'font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;color:#222'
const BUTTON = 'font:inherit;padding:.6rem 1.2rem;border:0;border-radius:.4rem;background:#1f2937;color:#fff;cursor:pointer'

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title></head><body style="${STYLE}"><h1 style="font-size:1.4rem">${title}</h1>${body}</body></html>`

export const askPage = (address: string | null): string =>
  page(
    'Unsubscribe',
    `<p>${address === null ? 'Your address' : mask(address)} will not be written to again.</p><form method="post"><button style="${BUTTON}">Unsubscribe</button></form>`,
  )

export const donePage = (): string => page('You are unsubscribed', '<p>You will not be written to again. You can close this page.</p>')

/** Enough for its owner to recognise, too little for anybody else. */
function mask(address: string): string {
  const at = address.lastIndexOf('@')
  const shown = `${address.slice(0, 1)}***${address.slice(at)}`
  return shown.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

export const PAGE_HEADERS: Record<string, string> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
