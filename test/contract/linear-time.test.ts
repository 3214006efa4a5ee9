import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { readBrief } from '#brief-reader'
import { expandTitle, foldTokens, registrableDomain, resolvePlace } from '#lead-terms'
import { industryByName, readRangeText } from '../../packages/lead-terms/src/filters/shorthand.ts'
import { sentencesOf } from '../../packages/reply-reader/src/clauses.ts'
import { withoutFooters } from '../../packages/reply-reader/src/footers.ts'
import { readBounce, readCalendar, readReply, stripQuotes } from '../../packages/reply-reader/src/index.ts'
import { isForeign } from '../../packages/reply-reader/src/language.ts'
import { normalizeText } from '../../packages/reply-reader/src/normalize.ts'
import { findDeferral, findReferral } from '../../packages/reply-reader/src/referral.ts'
import { withoutReportedSpeech } from '../../packages/reply-reader/src/reported-speech.ts'
import { findReturnDate } from '../../packages/reply-reader/src/return-date.ts'
import { pointsOf } from '../../packages/reply-reader/src/signals.ts'
import { correctSpelling } from '../../packages/reply-reader/src/spelling.ts'
import { readWait } from '../../src/http/headers.ts'
import { acceptedLanguage, preferredForm } from '../../src/lib/accept.ts'
import { canonicalJson } from '../../src/lib/canonical-json.ts'
import { readCookie } from '../../src/lib/cookies.ts'
import { correctableRecord, csvRecord, originalCell } from '../../src/lib/csv.ts'
import { openCsv } from '../../src/lib/csv-stream.ts'
import { asciiAddress, isEmail } from '../../src/lib/email.ts'
import { findHostileValue, findRepeatedKey, measureJson } from '../../src/lib/json-bounds.ts'
import { personOf, scrubText } from '../../src/lib/scrub.ts'
import { SecretBox } from '../../src/lib/secret-box.ts'
import { storableText, withoutUnseen } from '../../src/lib/storable-text.ts'
import { parseDateTime } from '../../src/lib/time.ts'
import { findDifferingLinks, rewriteLinks, webAddress } from '../../src/mail/compose/compose.ts'
import { checkAddress, oneLine, replySubject, validDomain } from '../../src/mail/compose/mime.ts'
import { checkTemplate, rewriteSpintax } from '../../src/mail/compose/template.ts'
import { readAuthenticationResults } from '../../src/mail/inbound/authentication-results.ts'
import { appendToBody, decodeEntities, htmlToText, looksLikeHtml, textToHtml, withoutLoaders } from '../../src/mail/inbound/html.ts'
import { parseInbound, readAttachments, unflow, withoutArmor, withoutFlow } from '../../src/mail/inbound/inbound.ts'
import { answerBelowQuotes, findQuoted, textOfHtml } from '../../src/mail/inbound/quoted.ts'
import { plain } from '../../src/mcp/untrusted.ts'
import { mapColumns, readWishes } from '../../src/modules/leads/csv-mapping.ts'
import { readFilters } from '../../src/modules/people/people.ts'
import { threadSubject } from '../../src/modules/replies/matching.ts'
import { personaOf } from '../../src/modules/sandbox/personas.ts'
import { OwnLinkRemover } from '../../src/modules/sending/link-tokens.ts'
import { isFull } from '../full.ts'

/**
 * Whatever reads text that strangers wrote takes time in proportion to its length. CPU time is measured, because the
 * machine may be busy, and each size several times, because only the fastest run shows the cost of the work itself. Load cannot fail it: a curve must
 * be wrong in each of many rounds, and load does not slow down only the long texts of each.
 */

const now = new Date('2026-02-10T10:00:00Z')
const secrets = new SecretBox(Buffer.alloc(32, 7))

const bounceSource = (text: string) => ({
  fromAddress: `mailer-daemon+${text}`,
  subject: text,
  headers: new Map([
    ['x-failed-recipients', text],
    ['content-type', text],
  ]),
  text,
  attachments: [],
})
const attached = (mimeType: string, content: string) => ({ filename: null, mimeType, disposition: null, content }) as const

async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += 65_536) yield Buffer.from(text.slice(at, at + 65_536))
}

const silently = (work: () => unknown): unknown => {
  try {
    return work()
  } catch {
    return null
  }
}

/** For what is long enough with a part of it. In `npm test`, texts are shorter, and the part is larger. */
const partOf = (text: string, of: number): string => text.slice(0, text.length / (isFull ? of : of / 4))

const FUNCTIONS: Record<string, (text: string) => unknown> = {
  readAuthenticationResults,
  htmlToText,
  textOfHtml,
  textToHtml,
  decodeEntities,
  looksLikeHtml,
  rewriteLinks: text => rewriteLinks(text, url => url, 'link'),
  findDifferingLinks,
  'htmlToText with addresses': text => htmlToText(text, { keepsAddresses: true }),
  appendToBody: text => appendToBody(text, 'x'),
  withoutLoaders,
  'removing our own links': text => new OwnLinkRemover(secrets).html(text),
  stripQuotes,
  unflow,
  'the names of attachments': text =>
    readAttachments([{ filename: text, mimeType: text, disposition: 'attachment', content: new ArrayBuffer(0) }], false),
  'the search for quoted ids and links': text => findQuoted({ headers: [], headerLines: [], attachments: [], text, html: text }),
  'a bounce in prose': text => readBounce(bounceSource(text)),
  'a delivery report': text =>
    readBounce({
      ...bounceSource('x'),
      attachments: [
        attached('message/delivery-status', `Reporting-MTA: x\n\nFinal-Recipient: rfc822; ${text}\nStatus: ${text}\n${text}`),
        attached('message/rfc822', `Message-ID: ${text}\n${text}`),
      ],
    }),
  // A reply is cut at 40,000 characters: a part of the text shows how the time grows.
  'readReply by text': text => readReply({ text: partOf(text, 16), subject: text, date: now }),
  findReturnDate: text => findReturnDate(partOf(text, 8), now),
  findDeferral: text => findDeferral(partOf(text, 8), now),
  findReferral: text => findReferral(partOf(text, 8), null),
  'the clauses of a reply': text => sentencesOf(normalizeText(partOf(text, 8))),
  'the points of a reply': text => pointsOf(sentencesOf(partOf(text, 16))),
  normalizeText,
  correctSpelling,
  withoutFooters,
  withoutReportedSpeech,
  isForeign,
  replySubject,
  isEmail,
  validDomain,
  csvRecord: text => csvRecord([text, text]),
  correctableRecord: text => correctableRecord([text, text]),
  originalCell,
  canonicalJson: text => canonicalJson({ [text]: [text], list: [...text.slice(0, 50_000)] }),
  findRepeatedKey: text => findRepeatedKey(Buffer.from(JSON.stringify({ [text]: [...text.slice(0, 1000), text] }))),
  findHostileValue: text => findHostileValue({ [text]: [text] }),
  'the headers of a message': text => parseInbound(Buffer.from(headersOf(partOf(text, 8)))).catch(() => null),
  answerBelowQuotes,
  withoutArmor,
  'a message that may be flowed': text => withoutFlow(Buffer.from(`Content-Type: text/plain; format=flowed\r\n\r\n${text}`)),
  'a calendar': text => readCalendar([attached('text/calendar', `BEGIN:VCALENDAR\nMETHOD:REPLY\n${text}`)], 'a@b.example'),
  webAddress,
  'the address of a message': text => silently(() => checkAddress(text, 'to')),
  oneLine,
  checkTemplate: text => checkTemplate(partOf(text, 16)),
  rewriteSpintax,
  asciiAddress,
  acceptedLanguage,
  preferredForm,
  'the preferences of a request': text => readWait({ headers: { prefer: text } } as unknown as FastifyRequest),
  'a cookie': text => readCookie(text, 'https://overture.example', 'session'),
  'the bounds of JSON': text => measureJson(Buffer.from(`{"a":${text}`), { maxMembers: 100_000, maxValues: 100_000 }),
  scrubText: text => scrubText(text, personOf('ann@people.example')),
  parseDateTime,
  storableText: text => storableText(text, 100_000),
  withoutUnseen,
  'what an agent is shown': text => plain(text, text.length),
  'the columns of a CSV file': text =>
    mapColumns(
      text
        .slice(0, text.length / 4)
        .match(/[^\n]{1,1000}/g)
        ?.slice(0, 500) ?? [],
      {},
    ),
  'the wishes of a CSV import': text => silently(() => readWishes(text)),
  'a CSV file as it comes in': async text => {
    const csv = await openCsv(piecesOf(text))
    if (csv) for await (const _ of csv.rows);
  },
  'a quoted cell of a CSV file': async text => {
    const csv = await openCsv(piecesOf(`"a","\n${text}x"y\n`))
    if (csv) for await (const _ of csv.rows);
  },
  threadSubject,
  personaOf,
  registrableDomain,
  foldTokens,
  resolvePlace,
  // A title is as long as a filter takes it.
  expandTitle: text => expandTitle(partOf(text, 1024)),
  'the filters of a search': text => silently(() => readFilters({ jobTitles: { include: [text] }, location: { include: [text] } })),
  'a range of a filter': text => readRangeText(text, true),
  industryByName,
  'a brief': text => silently(() => readBrief(partOf(text, 128))),
}

/** As long as a reader of mail accepts them. */
const headersOf = (text: string): string => {
  const value = text.slice(0, 200_000).replace(/[\r\n]+/g, '\r\n ')
  return `From: ${value.slice(0, 40_000)}\r\nSubject: ${value.slice(0, 40_000)}\r\nReferences: ${value.slice(0, 40_000)}\r\nContent-Type: ${value.slice(0, 40_000)}\r\n\r\nx`
}

const ALPHABETS: Record<string, string> = {
  '<': '<',
  '@': '@',
  '>': '>',
  spaces: ' ',
  '&': '&',
  '"': '"',
  newlines: '\n',
  'escaped quotes': ',a\\"',
  'empty lines': ' \n\t\n',
  '(': '(',
  digits: '1',
  letters: 'a',
  'full stops': '.',
  'marks that stand on each other': '\u0301\u0316',
  'half characters': '\ud83d',
  'open tags': '<div <a href="',
  'links that never end': '<a href=x ',
  'links without targets': '<p<p <!--',
  'elements that never end': '<style><blockquote>',
  addresses: '<a@b@',
  mixed: '<@>& "\n(1',
  'an address with an open end': 'http://....,,,,a',
  'attributions and quotes': 'On Monday wrote:\n> x\n',
  closings: 'thanks\n',
  'words of cue': 'back until tomorrow bis ',
  'words of asking': 'send me the the the ',
  'words of refusing': 'not remove contact stop , and but ',
  'days and months': 'may 1 in 2 weeks 3.4. 5/6 monday ',
  ids: 'message-id: <a\n',
  'tracked addresses': `//x/t/c/${'a'.repeat(46)}//`,
  'own ids and links': 'abcdef0123456789abcdef0123456789abcdef01@/u/t/c/%2f',
  'relative clauses': 'banks, which we dislike, ',
  'names that are out': 'Acme is out. ',
  statuses: ' 5.1.1 550 user mailbox ',
}

// The complete run measures every function at sixteen times these sizes.
const SIZES = isFull ? [65_536, 262_144, 1_048_576] : [4_096, 16_384, 65_536]
/** Below this the clock and the collector of garbage are louder than the work. */
const MEASURABLE_MS = isFull ? 10 : 4
/** Each size is four times the one before: in proportion is 4, quadratic is 16. A doubling says too little: memory grows in steps. */
const MOST_GROWTH = 10
/** Only a wrong function needs all of them. */
const MOST_ROUNDS = 20
/** A curve that already failed is not finished. */
const HOPELESS_MS = 4000

async function cpuMsOf(work: () => unknown, runs: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs && best > 1; run++) {
    const before = process.threadCpuUsage()
    await work()
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
    if (best > HOPELESS_MS) break
  }
  return best
}

/** The problem of the curve, or null. */
async function findExcess(read: (text: string) => unknown, unit: string, runs: number): Promise<string | null> {
  let before = 0
  for (const size of SIZES) {
    const text = unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
    const ms = await cpuMsOf(() => read(text), runs)
    if (ms > HOPELESS_MS) return `${size} characters took ${Math.round(ms)} ms`
    if (before >= MEASURABLE_MS && ms / before > MOST_GROWTH) {
      return `${size} characters took ${Math.round(ms)} ms, a quarter of them ${Math.round(before)} ms`
    }
    // A function that takes almost no time cannot fail at four times the size, and its growth is not measured there.
    if (!isFull && ms < MEASURABLE_MS && size === SIZES.at(-2)) return null
    before = ms
  }
  return null
}

test('work that grows with the square of a text is found', async () => {
  // As an expression does that looks for its end from many beginnings.
  const square = (text: string): number => {
    let found = 0
    for (let from = 0; from < text.length; from += 16) for (let at = from; at < text.length; at++) if (text.charCodeAt(at) === 0) found++
    return found
  }
  assert.match((await findExcess(square, 'a', 1)) ?? 'nothing', /characters took/)
})

for (const [index, [name, read]] of Object.entries(FUNCTIONS).entries()) {
  test(`${name} takes time in proportion to the length of a hostile text`, async () => {
    await read('warm up <a href="http://x.example">x</a>\n> y\n'.repeat(200))
    for (const [row, [alphabet, unit]] of Object.entries(ALPHABETS).entries()) {
      // In `npm test`, neighbors take turns: each function gets half of the texts, and each text half of the functions.
      if (!isFull && (row + index) % 2 === 1) continue
      let failure = await findExcess(read, unit, 1)
      for (let round = 1; failure !== null && round < MOST_ROUNDS; round++) failure = await findExcess(read, unit, 5)
      assert.equal(failure, null, `${name} of ${alphabet}`)
    }
  })
}
