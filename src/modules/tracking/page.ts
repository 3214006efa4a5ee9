import { escapeHtml, htmlPage } from '../../lib/html-page.ts'
import { acceptedLanguage, type Language, languageOfTag } from '../../lib/languages.ts'
import type { Correspondence } from './tracking.ts'
import { WORDS } from './words.ts'

/** The pages that a recipient sees. They show only as much of an address as its owner needs to recognise it. */

/** The language of the message, or when it is unknown, the language of the browser. */
const languageOf = ({ language }: Correspondence, accepted: string | null): Language =>
  languageOfTag(language) ?? acceptedLanguage(accepted) ?? 'en'

/** The question before unsubscribing. Programs open every link in an e-mail, so showing this page changes nothing. */
export function askPage(about: Correspondence, accepted: string | null): string {
  const language = languageOf(about, accepted)
  const words = WORDS[language]
  const body = [
    `<p>${words.consequence(senderOf(about), addressOf(about))}</p>`,
    `<p class="soft">${words.others}</p>`,
    `<form method="post"><button>${words.button}</button></form>`,
    `<p class="soft">${words.nothingYet}</p>`,
  ]
  return htmlPage({ title: words.ask, body: body.join(''), language })
}

/** Only the sender can undo it: any other person with the e-mail could press such a button, too. */
export function donePage(about: Correspondence, accepted: string | null, isNews: boolean): string {
  const language = languageOf(about, accepted)
  const words = WORDS[language]
  const { sender } = about
  const writeTo = sender && `<a href="mailto:${escapeHtml(encodeURI(sender.writeTo))}">${escapeHtml(sender.writeTo)}</a>`
  const body = [
    `<p>${words.doneFor(senderOf(about), addressOf(about))}</p>`,
    `<p class="soft">${isNews ? `${words.onItsWay} ` : ''}${writeTo ? words.mistake(writeTo) : words.mistakeOf}</p>`,
    `<p class="soft">${words.close}</p>`,
  ]
  return htmlPage({ title: isNews ? words.done : words.already, body: body.join(''), language })
}

function senderOf({ sender }: Correspondence): string | null {
  if (!sender) return null
  return sender.name ? `<b>${escapeHtml(sender.name)}</b> (${escapeHtml(sender.email)})` : `<b>${escapeHtml(sender.email)}</b>`
}

const addressOf = ({ address }: Correspondence): string | null => (address === null ? null : `<b>${escapeHtml(address)}</b>`)
