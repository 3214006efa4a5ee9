import { htmlToText } from '../inbound/html.ts'
import { findDifferingLinks, type UnsubscribeWay } from './compose.ts'

/**
 * The features of a message that spam filters dislike. These are our own rules, ordered by the weight that common filters
 * give them: hints for the author, not a prediction.
 */

interface ScoreHint {
  code: string
  points: number
  message: string
}

export interface ScoredMessage {
  subject: string
  text: string
  html: string | null
  tracking: { opens: boolean; clicks: boolean }
  unsubscribe: { way: UnsubscribeWay; url: string }
  hasListId: boolean
}

const SHORT_CHARS = 600
const MOST_LINKS = 3
const SHORTENERS = /:\/\/(?:www\.)?(?:bit\.ly|t\.co|goo\.gl|tinyurl\.com|ow\.ly|is\.gd|buff\.ly|rebrand\.ly|cutt\.ly)\//i

const RULES: ((message: ScoredMessage) => ScoreHint | null)[] = [
  ({ html }) => {
    const [shown] = html === null ? [] : findDifferingLinks(html)
    return shown === undefined ? null : hint('links_differ', 4, `A link shows ${shown.slice(0, 80)} but leads to another domain.`)
  },
  ({ text, html }) =>
    SHORTENERS.test(html ?? text) ? hint('link_shortener', 2, 'A link uses a public URL shortener, which spam filters distrust.') : null,
  ({ tracking, text }) =>
    tracking.opens && bodyOf(text).length < SHORT_CHARS
      ? hint('pixel_on_short_mail', 0.5, 'Open tracking adds an invisible image to a short email. Turn off trackOpens.')
      : null,
  ({ tracking, text }) =>
    tracking.clicks && /https?:\/\//i.test(bodyOf(text))
      ? hint('tracked_links', 0.5, 'Click tracking redirects links through another domain. Turn off trackClicks.')
      : null,
  ({ subject }) =>
    isShouting(subject) ? hint('subject_shouts', 1.5, 'The subject is in capitals or has several exclamation marks.') : null,
  ({ subject }) => (subject === '' ? hint('subject_empty', 1.5, 'The email has no subject.') : null),
  ({ html, text }) => {
    const links = (html === null ? text : html).match(/https?:\/\//gi)?.length ?? 0
    return links > MOST_LINKS + 1 ? hint('many_links', 1, `The email has ${links} links. People usually write one or two.`) : null
  },
  ({ html }) =>
    html !== null && /<img\b/i.test(html) && htmlToText(html).length < SHORT_CHARS / 2
      ? hint('image_with_little_text', 1, 'The email has an image but hardly any text.')
      : null,
  ({ hasListId }) =>
    hasListId
      ? null
      : hint(
          'list_id_missing',
          0.5,
          'The email has no List-Id header, so filters cannot recognize the mailing and treat every email as new.',
        ),
  ({ unsubscribe: { way, url } }) => {
    if (way === 'header' && url.startsWith('https:')) return null
    const why = way === 'header' ? 'the address of this installation does not use https' : 'the campaign uses another unsubscribe method'
    return hint(
      'one_click_missing',
      0.5,
      `The email has no one-click unsubscribe, because ${why}. Google and Yahoo require it from bulk senders.`,
    )
  },
]

/** The heaviest first. */
export const scoreHints = (message: ScoredMessage): ScoreHint[] =>
  RULES.flatMap(rule => rule(message) ?? []).sort((a, b) => b.points - a.points)

const hint = (code: string, points: number, message: string): ScoreHint => ({ code, points, message })

const bodyOf = (text: string): string => text.split('\n-- \n', 1)[0]!

function isShouting(subject: string): boolean {
  const letters = subject.match(/\p{L}/gu) ?? []
  const capitals = subject.match(/\p{Lu}/gu) ?? []
  return /!.*!/.test(subject) || (letters.length >= 8 && capitals.length > letters.length * 0.7)
}
