import { escapeHtml as escaped, htmlPage } from '../../lib/html-page.ts'

/** The pages that a browser sees when it comes back from Google or Microsoft. They load nothing and keep nothing. */

const page = (title: string, body: string, head = ''): string => htmlPage({ title, body, head })

const backTo = (path: string): string => `<p><a href="${escaped(path)}">Back to your mailboxes</a></p>`

/** A program started this, so it is unknown whether the person at this browser wants it. The page asks. */
export const askPage = (workspace: string, askedBy: string | null): string =>
  page(
    'Connect this mailbox?',
    `<p>The workspace <b>${escaped(workspace)}</b> asks to send from your mailbox and to read the answers${askedBy === null ? '' : `, on behalf of <b>${escaped(askedBy)}</b>`}. Continue only if you started this yourself, or know the person who did.</p><form method="post"><button>Connect the mailbox</button></form>`,
  )

interface Outcome {
  providerId: string
  fromEmail: string
  account: string
  /** The remaining problem although the consent was given; null when there is none. */
  problem: string | null
}

/** Leads to the console automatically. A page of ours can use the session, and the redirect of the issuer could not. */
export function donePage({ providerId, fromEmail, account, problem }: Outcome): string {
  const path = `/mailboxes/${providerId}`
  const whose =
    account === fromEmail.toLowerCase()
      ? `<p><b>${escaped(fromEmail)}</b> signs in by consent now.</p>`
      : `<p><b>${escaped(fromEmail)}</b> signs in with the consent of <b>${escaped(account)}</b>. That account must be allowed to use it, as with a shared mailbox or an alias.</p>`
  if (problem !== null) {
    return page('Consent stored, but it does not work yet', `${whose}<p>${escaped(problem)}</p>${backTo(path)}`)
  }
  return page('The mailbox is connected', `${whose}${backTo(path)}`, `<meta http-equiv="refresh" content="3;url=${escaped(path)}">`)
}

export const refusedPage = (reason: string): string =>
  page('The mailbox is not connected', `<p>${escaped(reason)}.</p><p>Nothing was changed. You can start again.</p>${backTo('/mailboxes')}`)

export const stalePage = (): string =>
  page(
    'This link no longer works',
    `<p>It works once, for ten minutes, in the browser that started it. Nothing was changed. Start again from the mailbox.</p>${backTo('/mailboxes')}`,
  )
