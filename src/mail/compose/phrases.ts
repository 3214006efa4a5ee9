import { LANGUAGES, type Language, languageOfTag } from '../../lib/languages.ts'

/** The texts that we add to a message, in the language of the message. */

export interface Phrases {
  /** Before the link. */
  unsubscribeLine: string
  unsubscribe: string
  replyLine: string
  /** The text of a link whose address must not be shown. */
  link: string
}

export const PHRASES: Record<Language, Phrases> = {
  en: {
    unsubscribeLine: 'If you would rather not hear from me again, you can unsubscribe here:',
    unsubscribe: 'unsubscribe',
    replyLine: 'If you would rather not hear from me again, reply with "stop".',
    link: 'link',
  },
  de: {
    unsubscribeLine: 'Wenn Sie nichts mehr von mir hören möchten, können Sie sich hier abmelden:',
    unsubscribe: 'abmelden',
    replyLine: 'Wenn Sie nichts mehr von mir hören möchten, antworten Sie bitte mit „Stop“.',
    link: 'Link',
  },
  fr: {
    unsubscribeLine: 'Si vous ne souhaitez plus recevoir de messages de ma part, vous pouvez vous désinscrire ici :',
    unsubscribe: 'se désinscrire',
    replyLine: 'Si vous ne souhaitez plus recevoir de messages de ma part, répondez « stop ».',
    link: 'lien',
  },
  es: {
    unsubscribeLine: 'Si prefiere no recibir más mensajes míos, puede darse de baja aquí:',
    unsubscribe: 'darse de baja',
    replyLine: 'Si prefiere no recibir más mensajes míos, responda con «stop».',
    link: 'enlace',
  },
}

/** Words that are frequent in one language and do not exist in the others. */
const WORDS: Record<Language, string> = {
  en: 'the and you your is are we our with for this that have it of i if would hi hello how what from they',
  de: 'und der die das ich sie wir ist mit für nicht ein eine auf zu ihr ihre ihnen hallo sehr wie bei von haben dass oder aber auch noch zum zur meine ihren',
  fr: 'et les vous votre nous est avec pour des dans sur je du bonjour notre vos ce cette qui pas chez mon ma',
  es: 'y el los usted su nosotros con para del por hola en nuestro las más esta este cómo mi qué muy',
}
const LANGUAGE_OF = new Map(LANGUAGES.flatMap(language => WORDS[language].split(' ').map(word => [word, language] as const)))

/** The content of these is not text in any language. */
const MAIL_ADDRESSES = /(?<!\S)\S+@\S+/g
const WEB_ADDRESSES = /\b(?:https?:\/\/|www\.)\S+/gi

const MOST_CHARS = 1000

/** The language in the data of the lead (`de`, `de-AT`), otherwise that of the text, otherwise English. */
export function languageOf(asked: unknown, text: string): Language {
  const known = languageOfTag(asked)
  if (known) return known
  const start = text.slice(0, MOST_CHARS)
  // Few texts have one, and to look for one takes as long as all the rest.
  const withoutMail = start.includes('@') ? start.replace(MAIL_ADDRESSES, ' ') : start
  const words =
    withoutMail
      .replace(WEB_ADDRESSES, ' ')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  const counts = { en: 0, de: 0, fr: 0, es: 0 }
  for (const word of words) {
    const language = LANGUAGE_OF.get(word)
    if (language) counts[language]++
  }
  let best: Language = 'en'
  for (const language of LANGUAGES) if (counts[language] > counts[best]) best = language
  return best
}
