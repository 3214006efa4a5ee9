import { type ApiReply, noContent, ok, route, tagged } from '../../http/route.ts'
import { dataOf, namedObject, nullable, strict } from '../../http/schema.ts'
import { preferredForm } from '../../lib/accept.ts'
import { notFound } from '../../lib/errors.ts'
import { HTML_PAGE_HEADERS } from '../../lib/html-page.ts'
import { Type } from '../../lib/type.ts'
import { accept, acceptedRoute, perform, replayNothing, syncRoute } from '../../operations/writes.ts'
import { openTrackingToken } from '../sending/link-tokens.ts'
import { askPage, donePage } from './page.ts'
import { findHost } from './queries.ts'
import { NewTrackingHost, TrackingHost, TrackingHostResult } from './schema.ts'
import { type Correspondence, findCorrespondence, recordClick, recordOpen, recordUnsubscribe } from './tracking.ts'
import { answerChallenge, CHALLENGE_PATH, getTrackingHost, readHost, removeHosts, requireFree } from './tracking-hosts.ts'

const params = { token: Type.String({ description: 'A signed token from a link in an email.' }) }
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

export const trackingRoutes = tagged('Links in emails', [
  route('GET', '/t/o/:token.gif', {
    id: 'mailLinks.openPixel',
    summary: 'The open pixel of an email',
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
    summary: 'A tracked link of an email',
    about: 'Redirects to the address that the link had when the email was sent. The address is stored, and is never part of the link.',
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
    summary: 'The page of an unsubscribe link',
    about:
      'Shows a page with a button. The GET request changes nothing, because programs that follow every link must not unsubscribe people. The page is in the language of the lead, or else in the language of the browser. A client that accepts JSON gets the text of the page as JSON.',
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

const hostPath = '/v1/workspaces/:workspaceId/tracking-host'

export const trackingHostRoutes = tagged('Workspaces', [
  route('GET', hostPath, {
    id: 'trackingHost.get',
    summary: 'Get the tracking host of a workspace',
    about: 'Returns the host of the links in messages. A workspace without a tracking host uses the address of the installation.',
    scope: 'workspaces:read',
    replies: { 200: { about: 'The tracking host.', schema: dataOf(TrackingHost) } },
    handle: async ({ ctx, params }) => ok({ data: await getTrackingHost(ctx, ctx.db, params.workspaceId) }),
  }),

  acceptedRoute('PUT', hostPath, {
    id: 'trackingHost.set',
    summary: 'Set your own tracking host',
    about:
      'Stores the host and verifies it with an https request from outside: the host must lead to this installation. The operation succeeds in both cases. The `status` of its result is `verified`, or `pending` with a `reason`. The service checks a pending host again automatically and does not use it in links until it is verified. Until then, the previous host stays in use. To verify at once, send the same host again.',
    scope: 'workspaces:write',
    action: 'tracking_host.set',
    cost: 'never',
    body: NewTrackingHost,
    errors: ['invalid_state'],
    handle(request) {
      const { ctx, params } = request
      const host = readHost(request.body.host, ctx.config)
      return accept(request, {
        input: { host },
        check: () => requireFree(ctx.db, params.workspaceId, host, ctx.clock.now()),
      })
    },
  }),

  syncRoute('DELETE', hostPath, {
    id: 'trackingHost.delete',
    summary: 'Remove the tracking host of a workspace',
    about:
      'New messages use the address of the installation in their links again. The links in sent messages keep working as long as the host leads to this installation.',
    scope: 'workspaces:write',
    action: 'tracking_host.delete',
    cost: 'never',
    result: TrackingHostResult,
    replies: { 204: { about: 'Removed.' } },
    handle(request) {
      const { ctx, params } = request
      const { workspaceId } = params
      return perform(request, replayNothing, async tx => {
        await removeHosts(tx, workspaceId)
        return { result: { trackingHost: await getTrackingHost(ctx, tx, workspaceId) }, reply: noContent }
      })
    },
  }),

  route('GET', `${CHALLENGE_PATH}/:challenge`, {
    id: 'mailLinks.proveHost',
    summary: 'Prove that a tracking host leads to this installation',
    about: 'Returns a signature over the challenge and the host of the request. Only a host that a workspace has set gets a signature.',
    tag: 'Links in emails',
    scope: 'public',
    params: { challenge: Type.String({ description: 'Up to 64 characters.' }) },
    replies: { 200: { about: 'The signature.', contentType: 'text/plain' } },
    async handle({ ctx, params, host }) {
      if (params.challenge.length > 64 || !(await findHost(ctx.db, host))) throw notFound('tracking host')
      const body = answerChallenge(ctx.secrets, host, params.challenge)
      return { status: 200, body, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' } }
    },
  }),
])
