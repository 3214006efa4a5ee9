/**
 * Whether an open or a click was a person. Mail programs fetch images ahead of time, and security products follow every
 * link; counting those would make the statistics wrong. When in doubt, it counts as a machine.
 */

export interface TrackingHit {
  kind: 'open' | 'click'
  method: string
  userAgent: string | null
  /** Negative or zero when the hit came before the server had confirmed the delivery. */
  msSinceDelivery: number
  /** How many different links of this message were followed within the same few seconds, this one included. */
  linksClickedTogether: number
  linksInMessage: number
}

export interface TrackingJudgement {
  by: 'human' | 'machine'
  reason: 'not_a_page_view' | 'no_user_agent' | 'scanner' | 'prefetch_proxy' | 'all_links_at_once' | 'too_soon' | 'nothing_suspicious'
}

/** No person has read a message this soon after it arrived. */
const OPEN_TOO_SOON_MS = 3_000
const CLICK_TOO_SOON_MS = 8_000
const SCANNER =
  /bot\b|crawl|spider|scan|preview|barracuda|mimecast|proofpoint|symantec|messagelabs|fireeye|trendmicro|sophos|forcepoint|cloudmark|safelinks|linkcheck|urlscan|virustotal|zscaler|headless|phantomjs|puppeteer|playwright|selenium|python|curl\/|wget|go-http|okhttp|java\/|apache-httpclient|axios|node-fetch|undici|libwww|ruby|perl|guzzle|httpx|aiohttp/i

/** These load the image when the person looks, on the person's behalf: a real open. */
const ON_VIEW_PROXY = /googleimageproxy|yahoomailproxy/i

export function judgeHit(hit: TrackingHit): TrackingJudgement {
  const machine = (reason: TrackingJudgement['reason']): TrackingJudgement => ({ by: 'machine', reason })
  if (hit.method.toUpperCase() !== 'GET') return machine('not_a_page_view')
  const userAgent = hit.userAgent?.trim() ?? ''
  if (userAgent === '') return machine('no_user_agent')
  if (!ON_VIEW_PROXY.test(userAgent) && SCANNER.test(userAgent)) return machine('scanner')
  // Apple's privacy protection fetches every image of every message, with only this as its user agent.
  if (hit.kind === 'open' && userAgent === 'Mozilla/5.0') return machine('prefetch_proxy')
  if (hit.kind === 'click' && followsEverything(hit)) return machine('all_links_at_once')
  if (hit.msSinceDelivery < (hit.kind === 'open' ? OPEN_TOO_SOON_MS : CLICK_TOO_SOON_MS)) return machine('too_soon')
  return { by: 'human', reason: 'nothing_suspicious' }
}

function followsEverything({ linksClickedTogether, linksInMessage }: TrackingHit): boolean {
  return linksClickedTogether >= 3 || (linksInMessage >= 2 && linksClickedTogether >= linksInMessage)
}
