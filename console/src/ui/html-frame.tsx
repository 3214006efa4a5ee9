import { cx } from './cx.ts'

/** Without scripts, forms, links that lead anywhere, and without anything that would be loaded from elsewhere. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/**
 * HTML from another person. A separate frame without permissions shows it: no script runs, nothing is loaded, and the frame
 * cannot see the page around it. It is shown on white, because that is what mail is written for.
 */
export function HtmlFrame({ html, title, className }: { html: string; title: string; className?: string }) {
  const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="color-scheme" content="light">${html}`
  return (
    <iframe
      title={title}
      sandbox=""
      srcDoc={page}
      referrerPolicy="no-referrer"
      className={cx('block h-80 w-full resize-y rounded-lg border border-line bg-white', className)}
    />
  )
}
