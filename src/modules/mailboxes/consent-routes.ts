import type { Context } from '../../context/context.ts'
import { type ApiReply, type ApiRequest, created, ok, type Route, route, tagged } from '../../http/route.ts'
import { dataOf, IdResult, strict } from '../../http/schema.ts'
import { readCookie, writeCookie } from '../../lib/cookies.ts'
import { AppError, existing, wrongState } from '../../lib/errors.ts'
import { escapeHtml as escaped, HTML_PAGE_HEADERS, htmlPage } from '../../lib/html-page.ts'
import { storableText } from '../../lib/storable-text.ts'
import { hashToken } from '../../lib/tokens.ts'
import { type Static, Type } from '../../lib/type.ts'
import { authorizationUrlOf, beginDevice, ConsentRefused, type DeviceCode, TokenRefused, wordRefusal } from '../../mail/transport/oauth.ts'
import { payLimits } from '../../operations/writes.ts'
import { noteVerification } from './connection.ts'
import { type ConsentRow, claimConsent, findByState, findConsent, slowDown, takeTurn } from './consent-queries.ts'
import {
  beginConsent,
  challengeOf,
  exchange,
  type Granted,
  poll,
  presentConsent,
  redirectUriOf,
  refuseConsent,
  storeGrant,
} from './consents.ts'
import { atIssuer, findEndpoints, issuerClientOf, requireOwnServers } from './issuer-client.ts'
import { type ChangeCost, consentCost, getProvider } from './mailboxes.ts'
import type { ProviderRow } from './queries.ts'
import { Consent, NewConsent, ProviderResult } from './schema.ts'
import { problemOf, tryMailbox } from './verify.ts'

const base = '/v1/workspaces/:workspaceId/oauth/authorizations'
const begun = { 201: { about: 'The pending consent.', schema: dataOf(Consent), headers: ['set-cookie'] } }

const COOKIE = 'overture_consent'

/** `Lax`, because the page of the issuer leads back to us. */
const cookieOf = ({ config }: Context, secret: string): string =>
  writeCookie(config.baseUrl, { name: COOKIE, value: secret, seconds: 600, sameSite: 'Lax' })

/** The mailbox that is to get it, checked to be one of the issuer; null when one is to be made. */
async function findMailbox(ctx: Context, workspaceId: string, { issuer, providerId }: NewConsent): Promise<ProviderRow | null> {
  if (providerId === undefined) return null
  const mailbox = await getProvider(ctx.db, workspaceId, providerId)
  if (mailbox.kind === 'sandbox') throw wrongState('A sandbox mailbox has no server to sign in to.', 'sandbox', 'smtp')
  requireOwnServers(ctx.config, issuer, mailbox.settings)
  return mailbox
}

const asUnavailable = (error: unknown): never => {
  if (error instanceof ConsentRefused || error instanceof TokenRefused) throw new AppError('service_unavailable', `${error.message}.`)
  throw error
}

/** Stores the grant and tries the mailbox, so that the person sees at once what is still missing. */
async function conclude(ctx: Context, consent: ConsentRow, grant: Granted) {
  const mailbox = await ctx.db.inRequest(tx => storeGrant(tx, ctx, consent, grant))
  if (!mailbox) return null
  const verification = await tryMailbox(ctx, mailbox, { testMessage: false })
  await ctx.db.inRequest(tx => noteVerification(tx, mailbox, verification, ctx.clock.now()))
  return { mailbox, problem: verification.ok ? null : problemOf(verification) }
}

type ConsentRequest = ApiRequest<{ workspaceId: string }, unknown, NewConsent>

/** A token that may not do this never reaches the issuer. */
const pay = (request: ConsentRequest): Promise<void> => request.ctx.db.inRequest(tx => payLimits(tx, request))

const begin = ({ ctx, params, body, caller }: ConsentRequest, device: DeviceCode | null) =>
  ctx.db.inRequest(tx => beginConsent(tx, ctx, { workspaceId: params.workspaceId, caller, wish: body, device }))

const htmlOf = (body: string): ApiReply => ({ status: 200, body, headers: HTML_PAGE_HEADERS })

const CallbackQuery = Type.Object({
  state: Type.Optional(Type.String({ maxLength: 1024 })),
  code: Type.Optional(Type.String({ maxLength: 8192 })),
  error: Type.Optional(Type.String({ maxLength: 1024 })),
  error_description: Type.Optional(Type.String({ maxLength: 8192 })),
  iss: Type.Optional(Type.String({ maxLength: 2048 })),
})

type CameBack = ApiRequest<unknown, Static<typeof CallbackQuery>>

/** A browser comes back from the issuer. The state is used up before the code, even if the exchange fails. */
async function comeBack({ ctx, method, cookies, query }: CameBack): Promise<ApiReply> {
  const found = query.state === undefined ? undefined : await findByState(ctx.db, hashToken(query.state))
  if (!found) return htmlOf(stalePage())
  const { browserHash } = found
  const secrets = readCookie(cookies, ctx.config.baseUrl, COOKIE)
  // Another person's browser: a link that was sent to this person must not hand their mailbox to the person who made the link.
  if (browserHash && !secrets.some(secret => hashToken(secret).equals(browserHash))) return htmlOf(stalePage())
  if (!browserHash && method !== 'POST' && query.error === undefined) return htmlOf(askPage(found.workspaceName, found.askedBy))
  const consent = await ctx.db.inRequest(tx => claimConsent(tx, found.id))
  if (!consent) return htmlOf(stalePage())
  try {
    if (query.error !== undefined) throw new ConsentRefused(wordRefusal(query.error, query.error_description ?? null))
    if (query.code === undefined) throw new ConsentRefused('The sign-in provider sent no code')
    await requireSameIssuer(ctx, consent, query.iss)
    const concluded = await conclude(ctx, consent, await exchange(ctx, consent, query.code))
    if (!concluded) return htmlOf(stalePage())
    const { mailbox, problem } = concluded
    return htmlOf(donePage({ providerId: mailbox.id, fromEmail: mailbox.fromEmail, account: mailbox.consent!.account, problem }))
  } catch (error) {
    if (!(error instanceof ConsentRefused || error instanceof TokenRefused || error instanceof AppError)) throw error
    const reason = storableText(error.message, 1000)
    await ctx.db.inRequest(tx => refuseConsent(tx, consent, reason))
    return htmlOf(refusedPage(reason.replace(/\.$/, '')))
  }
}

/** RFC 9207: one issuer must not respond in the name of another. */
async function requireSameIssuer(ctx: Context, { issuer }: ConsentRow, said: string | undefined): Promise<void> {
  if (said === undefined) return
  const { issuer: expected } = await findEndpoints(ctx, issuer)
  if (expected !== null && expected !== said) throw new ConsentRefused('The response came from a different issuer')
}

/** `mailsOf` is the cost of other credentials of a mailbox: the emails that campaigns send from it. */
export const consentRoutes = (mailsOf: ChangeCost): Route[] => {
  const cost = consentCost(mailsOf)
  return tagged('Providers', [
    route('POST', base, {
      id: 'consents.create',
      summary: 'Request consent in a browser',
      about:
        'Returns a URL at Google or Microsoft where the owner of a mailbox allows Overture to send and read mail. The browser then returns to `/oauth/callback`. The URL works once, for ten minutes. When a session requested it, it works only in the same browser. The installation must have registered its own application at the issuer.',
      scope: 'providers:write',
      action: 'provider.begin_consent',
      cost,
      result: IdResult,
      body: NewConsent,
      replies: begun,
      errors: ['invalid_state', 'not_found', 'token_budget_exceeded'],
      async handle(request) {
        const { ctx, params, body } = request
        const { workspaceId } = params
        const mailbox = await findMailbox(ctx, workspaceId, body)
        const { clientId } = issuerClientOf(ctx.config, body.issuer)
        await pay(request)
        const endpoints = await findEndpoints(ctx, body.issuer)
        const { consent, state, verifier, browserSecret } = await begin(request, null)
        const loginHint = body.email ?? mailbox?.fromEmail ?? null
        const asked = { clientId, redirectUri: redirectUriOf(ctx), state, challenge: challengeOf(verifier), loginHint }
        const data = { ...presentConsent(ctx, consent), authorizationUrl: authorizationUrlOf(body.issuer, endpoints, asked) }
        const cookie = browserSecret === null ? {} : { 'set-cookie': cookieOf(ctx, browserSecret) }
        return { status: 201, body: { data }, headers: { location: data.links.self, ...cookie } }
      },
    }),

    route('POST', `${base}/device`, {
      id: 'consents.createForDevice',
      summary: 'Request consent on another device',
      about:
        'For a command line without a browser: returns a code that a person types in at the issuer (RFC 8628). Then poll for the outcome. Only Microsoft supports this: Google offers no such codes for mail.',
      scope: 'providers:write',
      action: 'provider.begin_consent',
      cost,
      result: IdResult,
      body: NewConsent,
      replies: { 201: { about: 'The pending consent.', schema: dataOf(Consent) } },
      errors: ['invalid_state', 'not_found', 'token_budget_exceeded'],
      async handle(request) {
        const { ctx, params, body } = request
        const { workspaceId } = params
        await findMailbox(ctx, workspaceId, body)
        const by = issuerClientOf(ctx.config, body.issuer)
        await pay(request)
        const device = await atIssuer(ctx, body.issuer, ({ deviceUrl }, client) => {
          if (deviceUrl === null || body.issuer === 'google') {
            const message = 'Google offers no device codes for mail. Open the authorization URL in a browser instead.'
            throw wrongState(message, 'no_device_codes', 'device_codes')
          }
          return beginDevice(by, deviceUrl, { client }).catch(asUnavailable)
        })
        const { consent } = await begin(request, device)
        const { userCode, verificationUri, intervalSeconds } = device
        const data = { ...presentConsent(ctx, consent), device: { userCode, verificationUri, intervalSeconds } }
        return created(data)
      },
    }),

    route('GET', `${base}/:consentId`, {
      id: 'consents.get',
      summary: 'Get a consent',
      about: 'Returns the outcome of the consent. A consent is kept for one day.',
      scope: 'providers:read',
      replies: { 200: { about: 'The consent.', schema: dataOf(Consent) } },
      handle: async ({ ctx, params }) => ok({ data: presentConsent(ctx, await getConsent(ctx, params)) }),
    }),

    route('POST', `${base}/:consentId/poll`, {
      id: 'consents.poll',
      summary: 'Poll for the consent on the other device',
      about: 'Asks the issuer at most once per interval. Between two polls, it returns the last known state.',
      scope: 'providers:write',
      action: 'provider.consent',
      cost: 'free',
      result: ProviderResult,
      body: strict({}),
      replies: { 200: { about: 'The consent.', schema: dataOf(Consent) } },
      async handle({ ctx, params }) {
        const consent = await getConsent(ctx, params)
        if (consent.flow === 'device' && (await ctx.db.inRequest(tx => takeTurn(tx, consent.id)))) await askIssuer(ctx, consent)
        return ok({ data: presentConsent(ctx, await getConsent(ctx, params)) })
      },
    }),

    route('GET', '/oauth/callback', {
      id: 'consents.finish',
      summary: 'The page to which Google or Microsoft returns the browser',
      about:
        'Exchanges the code and shows the outcome on a page. When a program requested the consent, the person must first confirm it on that page.',
      scope: 'public',
      query: CallbackQuery,
      replies: { 200: { about: 'A page that shows the outcome.', contentType: 'text/html' } },
      handle: comeBack,
    }),

    route('POST', '/oauth/callback', {
      id: 'consents.confirm',
      summary: 'Confirm a consent that a program requested',
      about: 'The button on the page sends this request. Only the URL is read.',
      scope: 'public',
      ignoresBody: true,
      query: CallbackQuery,
      replies: { 200: { about: 'A page that shows the outcome.', contentType: 'text/html' } },
      handle: comeBack,
    }),
  ])
}

const getConsent = async (ctx: Context, { workspaceId, consentId }: { workspaceId: string; consentId: string }) =>
  existing(await findConsent(ctx.db, workspaceId, consentId), 'consent')

async function askIssuer(ctx: Context, consent: ConsentRow): Promise<void> {
  try {
    const answer = await poll(ctx, consent)
    if (answer === 'slower') await ctx.db.inRequest(tx => slowDown(tx, consent.id))
    else if (answer !== 'pending') await conclude(ctx, consent, answer)
  } catch (error) {
    // An issuer that does not respond is asked again; a refusal is final.
    if (error instanceof TokenRefused && !error.permanent) return
    if (!(error instanceof ConsentRefused || error instanceof TokenRefused || error instanceof AppError)) throw error
    await ctx.db.inRequest(tx => refuseConsent(tx, consent, error.message))
  }
}

/** The pages that a browser sees when it comes back from Google or Microsoft. They load nothing and keep nothing. */

const page = (title: string, body: string, head = ''): string => htmlPage({ title, body, head })

const backTo = (path: string): string => `<p><a href="${escaped(path)}">Back to your mailboxes</a></p>`

/** A program started this, so it is unknown whether the person at this browser wants it. The page asks. */
const askPage = (workspace: string, askedBy: string | null): string =>
  page(
    'Connect this mailbox?',
    `<p>The workspace <b>${escaped(workspace)}</b> asks to send from your mailbox and to read its replies${askedBy === null ? '' : `, on behalf of <b>${escaped(askedBy)}</b>`}. Continue only if you started this yourself, or know the person who did.</p><form method="post"><button>Connect the mailbox</button></form>`,
  )

interface Outcome {
  providerId: string
  fromEmail: string
  account: string
  /** The remaining problem even though consent was given; null if there is none. */
  problem: string | null
}

/** Leads to the console automatically. A page of ours can use the session, and the redirect of the issuer could not. */
function donePage({ providerId, fromEmail, account, problem }: Outcome): string {
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

const refusedPage = (reason: string): string =>
  page('The mailbox is not connected', `<p>${escaped(reason)}.</p><p>Nothing was changed. You can start again.</p>${backTo('/mailboxes')}`)

const stalePage = (): string =>
  page(
    'This link no longer works',
    `<p>It works once, for ten minutes, in the browser that started it. Nothing was changed. Start again from the mailbox.</p>${backTo('/mailboxes')}`,
  )
