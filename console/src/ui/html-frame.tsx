import { cx } from './cx.ts'

/** No scripts, no forms, and nothing that is loaded from another server. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/**
 * HTML from another person. A separate frame without permissions shows it: no script runs, nothing is loaded, and the frame
 * cannot see the page around it. The background is white, because senders expect that.
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
