import Type from 'typebox'
import { type Route, route } from '../../http/route.ts'
import { strict } from '../../http/schema.ts'
import { notFound } from '../../lib/errors.ts'
import { webAddress } from '../../mail/compose/links.ts'
import { openTrackingToken } from '../sending/link-tokens.ts'
import { askPage, donePage, PAGE_HEADERS } from './page.ts'
import { findRecipientAddress, recordClick, recordOpen, recordUnsubscribe } from './tracking.ts'

const WithToken = strict({ token: Type.String({ description: 'Signed; part of a link in an e-mail.' }) })
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const UNSEEN = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

/** Messages of earlier versions kept addresses as they were written, which a header cannot always hold. */
const locationOf = (url: string): string => webAddress(url) ?? encodeURI(url.toWellFormed())

export const trackingRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/t/o/:token.gif',
    id: 'mailLinks.openPixel',
    summary: 'The open pixel of an e-mail',
    about: 'Always answers with the same picture, whatever the token.',
    tag: 'Links in e-mails',
    scope: 'public',
    params: WithToken,
    replies: { 200: { about: 'A transparent pixel.', contentType: 'image/gif' } },
    async handle({ ctx, params, method, userAgent }) {
      const opened = openTrackingToken(ctx.secrets, 'open', params.token)
      if (opened) await ctx.db.inRequest(tx => recordOpen(tx, opened.sendId, { method, userAgent }, ctx.clock.now()))
      return { status: 200, body: PIXEL, headers: { ...UNSEEN, 'content-type': 'image/gif' } }
    },
  }),

  route({
    method: 'GET',
    path: '/t/c/:token',
    id: 'mailLinks.follow',
    summary: 'A tracked link of an e-mail',
    about: 'Leads to where the link was meant to lead when the e-mail was sent. The address is stored, never part of the link.',
    tag: 'Links in e-mails',
    scope: 'public',
    params: WithToken,
    replies: { 302: { about: 'On to the address that was stored.', headers: ['location'] } },
    async handle({ ctx, params, method, userAgent }) {
      const clicked = openTrackingToken(ctx.secrets, 'click', params.token)
      if (!clicked) throw notFound('link')
      const { sendId, index } = clicked
      const url = await ctx.db.inRequest(tx => recordClick(tx, sendId, index, { method, userAgent }, ctx.clock.now()))
      if (url === null) throw notFound('link')
      return { status: 302, headers: { ...UNSEEN, location: locationOf(url) } }
    },
  }),

  route({
    method: 'GET',
    path: '/u/:token',
    id: 'mailLinks.askUnsubscribe',
    summary: 'The page behind an unsubscribe link',
    about: 'Only shows a button: programs that look at every link must not unsubscribe anybody.',
    tag: 'Links in e-mails',
    scope: 'public',
    params: WithToken,
    replies: { 200: { about: 'A page with a button.', contentType: 'text/html' } },
    async handle({ ctx, params }) {
      const left = openTrackingToken(ctx.secrets, 'unsubscribe', params.token)
      const address = left ? await findRecipientAddress(ctx.db, left.sendId) : undefined
      if (address === undefined) throw notFound('link')
      return { status: 200, body: askPage(address), headers: PAGE_HEADERS }
    },
  }),

  route({
    method: 'POST',
    path: '/u/:token',
    id: 'mailLinks.unsubscribe',
    summary: 'Unsubscribe with one click',
    about: 'What the button does, and what mail programs post by themselves (RFC 8058). Nothing but the token is read.',
    tag: 'Links in e-mails',
    scope: 'public',
    ignoresBody: true,
    params: WithToken,
    replies: { 200: { about: 'Unsubscribed; also when that was so already.', contentType: 'text/html' } },
    async handle({ ctx, params }) {
      const left = openTrackingToken(ctx.secrets, 'unsubscribe', params.token)
      if (!left) throw notFound('link')
      const done = await ctx.db.inRequest(tx => recordUnsubscribe(tx, ctx.secrets, left.sendId, 'one_click', ctx.clock.now()))
      if (!done) throw notFound('link')
      return { status: 200, body: donePage(), headers: PAGE_HEADERS }
    },
  }),
]
