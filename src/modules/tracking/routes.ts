import { type ApiReply, route, tagged } from '../../http/route.ts'
import { dataOf, namedObject, nullable, strict } from '../../http/schema.ts'
import { preferredForm } from '../../lib/accept.ts'
import { notFound } from '../../lib/errors.ts'
import { HTML_PAGE_HEADERS } from '../../lib/html-page.ts'
import { Type } from '../../lib/type.ts'
import { openTrackingToken } from '../sending/link-tokens.ts'
import { askPage, donePage } from './page.ts'
import { type Correspondence, findCorrespondence, recordClick, recordOpen, recordUnsubscribe } from './tracking.ts'

const params = { token: Type.String({ description: 'A signed token from a link in an e-mail.' }) }
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const UNSEEN = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

const Unsubscription = namedObject('Unsubscription', {
  unsubscribed: Type.Boolean({ description: 'Whether the address is already suppressed.' }),
  address: nullable(
    Type.String({ description: 'The masked address of the recipient. Null: the lead no longer exists.', examples: ['s***@example.com'] }),
  ),
  sender: nullable(strict({ name: nullable(Type.String()), email: Type.String() }, { description: 'Null: the mailbox no longer exists.' })),
})
/** Mail programs and gateways add parameters to links. These must not break a link or prevent unsubscribing. */
const AnyQuery = Type.Object({})

/** A page, unless JSON is asked for. */
function answer(about: Correspondence, accept: string | null, page: string): ApiReply {
  const { unsubscribed, address, sender } = about
  if (preferredForm(accept) !== 'json') return { status: 200, body: page, headers: { ...HTML_PAGE_HEADERS, vary: VARY } }
  const data = { unsubscribed, address, sender: sender && { name: sender.name, email: sender.email } }
  return { status: 200, body: { data }, headers: { 'cache-control': 'no-store', vary: VARY } }
}

const VARY = 'accept, accept-language'

export const trackingRoutes = tagged('Links in e-mails', [
  route('GET', '/t/o/:token.gif', {
    id: 'mailLinks.openPixel',
    summary: 'The open pixel of an e-mail',
    about: 'Always returns the same image, for any token.',
    scope: 'public',
    params,
    query: AnyQuery,
    replies: { 200: { about: 'A transparent pixel.', contentType: 'image/gif' } },
    async handle({ ctx, params, method, userAgent }) {
      const opened = openTrackingToken(ctx.secrets, 'open', params.token)
      if (opened) await ctx.db.inRequest(tx => recordOpen(tx, opened.sendId, { method, userAgent }, ctx.clock.now()))
      return { status: 200, body: PIXEL, headers: { ...UNSEEN, 'content-type': 'image/gif' } }
    },
  }),

  route('GET', '/t/c/:token', {
    id: 'mailLinks.follow',
    summary: 'A tracked link of an e-mail',
    about: 'Redirects to the address that the link had when the e-mail was sent. The address is stored; it is never part of the link.',
    scope: 'public',
    params,
    query: AnyQuery,
    replies: { 302: { about: 'A redirect to the stored address.', headers: ['location'] } },
    async handle({ ctx, params, method, userAgent }) {
      const clicked = openTrackingToken(ctx.secrets, 'click', params.token)
      if (!clicked) throw notFound('link')
      const { sendId, index } = clicked
      const url = await ctx.db.inRequest(tx => recordClick(tx, sendId, index, { method, userAgent }, ctx.clock.now()))
      if (url === null) throw notFound('link')
      return { status: 302, headers: { ...UNSEEN, location: url } }
    },
  }),

  route('GET', '/u/:token', {
    id: 'mailLinks.askUnsubscribe',
    summary: 'The page behind an unsubscribe link',
    about:
      'Shows a page with a button. The GET request changes nothing, because programs that follow every link must not unsubscribe anybody. The page is in the language of the lead, or else in the language of the browser. A client that accepts JSON gets the text of the page as JSON.',
    scope: 'public',
    params,
    query: AnyQuery,
    replies: { 200: { about: 'A page with a button.', page: true, schema: dataOf(Unsubscription) } },
    async handle({ ctx, params, accept, acceptLanguage }) {
      const left = openTrackingToken(ctx.secrets, 'unsubscribe', params.token)
      const about = left ? await findCorrespondence(ctx.db, left.sendId) : undefined
      if (!about) throw notFound('link')
      return answer(about, accept, about.unsubscribed ? donePage(about, acceptLanguage, false) : askPage(about, acceptLanguage))
    },
  }),

  route('POST', '/u/:token', {
    id: 'mailLinks.unsubscribe',
    summary: 'Unsubscribe with one click',
    about: 'The button on the page and the one-click unsubscribe of mail programs (RFC 8058) send this request. Only the token is read.',
    scope: 'public',
    ignoresBody: true,
    params,
    query: AnyQuery,
    replies: { 200: { about: 'Unsubscribed, now or earlier.', page: true, schema: dataOf(Unsubscription) } },
    async handle({ ctx, params, accept, acceptLanguage }) {
      const left = openTrackingToken(ctx.secrets, 'unsubscribe', params.token)
      if (!left) throw notFound('link')
      const done = await ctx.db.inRequest(tx => recordUnsubscribe(tx, ctx.secrets, left.sendId, ctx.clock.now()))
      const about = done && (await findCorrespondence(ctx.db, left.sendId))
      if (!about) throw notFound('link')
      return answer({ ...about, unsubscribed: true }, accept, donePage(about, acceptLanguage, true))
    },
  }),
])
