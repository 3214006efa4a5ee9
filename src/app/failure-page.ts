import type { FastifyRequest } from 'fastify'
import { acceptedLanguage, type Language, preferredForm } from '../lib/accept.ts'
import type { AppError } from '../lib/errors.ts'
import { htmlPage } from '../lib/html-page.ts'

/** Paths for programs. They answer every client with the error envelope. */
const FOR_PROGRAMS = /^\/(v1|mcp|openapi\.json|healthz|readyz|metrics|assets)(?=[/?#]|$)/
/** The paths of links in emails. */
const FROM_MAIL = /^\/(u|t)(?=[/?#]|$)/

type Asked = Pick<FastifyRequest, 'url' | 'headers' | 'id'>

/** The page for a person whose request failed; null for programs, which get the error envelope. */
export function failurePage({ url, headers, id }: Asked, failure: AppError, baseUrl: string): string | null {
  if (FOR_PROGRAMS.test(url) || preferredForm(headers.accept) !== 'html') return null
  const language = acceptedLanguage(headers['accept-language']) ?? 'en'
  const words = WORDS[language]
  if (failure.status === 429 || failure.status >= 500) {
    return htmlPage({ title: words.later, body: `<p>${words.laterWhy}</p><p class="soft">${words.request} ${id}</p>`, language })
  }
  if (FROM_MAIL.test(url)) return htmlPage({ title: words.broken, body: `<p>${words.brokenWhy}</p><p>${words.stop}</p>`, language })
  // A tracking host only serves links, so there is no page to link to.
  const hasStart = baseUrl === '' || new URL(baseUrl).host === headers.host
  const start = hasStart ? `<p><a href="/">${words.start}</a></p>` : ''
  return htmlPage({ title: words.missing, body: `<p>${words.missingWhy}</p>${start}`, language })
}

interface Words {
  missing: string
  missingWhy: string
  start: string
  broken: string
  brokenWhy: string
  stop: string
  later: string
  laterWhy: string
  request: string
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    missing: 'There is nothing at this address',
    missingWhy: 'The address may be misspelt, or what was here has moved. If you copied it from an email, part of it may be missing.',
    start: 'Go to the start page',
    broken: 'This link does not work',
    brokenWhy:
      'It may have been cut in two by a line break, or changed on its way. Nothing has been changed. Open it once more from the email itself.',
    stop: 'If you want no more emails, you can also answer the message with “stop”. That is enough.',
    later: 'This does not work at the moment',
    laterWhy: 'The fault is ours. Please wait a minute and try again: nothing is lost, and trying twice does no harm.',
    request: 'If it keeps failing, this number helps to find out why:',
  },
  de: {
    missing: 'Unter dieser Adresse ist nichts',
    missingWhy:
      'Vielleicht ist sie falsch geschrieben, oder die Seite ist umgezogen. Wenn Sie sie aus einer E-Mail kopiert haben, fehlt womöglich ein Stück.',
    start: 'Zur Startseite',
    broken: 'Dieser Link funktioniert nicht',
    brokenWhy:
      'Vielleicht wurde er durch einen Zeilenumbruch geteilt oder unterwegs verändert. Es wurde nichts geändert. Öffnen Sie ihn noch einmal direkt aus der E-Mail.',
    stop: 'Wenn Sie keine E-Mails mehr möchten, können Sie auch mit „Stop“ auf die Nachricht antworten. Das genügt.',
    later: 'Das funktioniert gerade nicht',
    laterWhy:
      'Der Fehler liegt bei uns. Bitte warten Sie eine Minute und versuchen Sie es noch einmal: Es geht nichts verloren, und ein zweiter Versuch schadet nicht.',
    request: 'Wenn es weiterhin nicht geht, hilft diese Nummer bei der Suche:',
  },
  fr: {
    missing: 'Il n’y a rien à cette adresse',
    missingWhy:
      'Elle est peut-être mal écrite, ou la page a été déplacée. Si vous l’avez copiée depuis un e-mail, il en manque peut-être une partie.',
    start: 'Aller à la page d’accueil',
    broken: 'Ce lien ne fonctionne pas',
    brokenWhy:
      'Il a peut-être été coupé par un retour à la ligne ou modifié en chemin. Rien n’a été modifié. Ouvrez-le de nouveau depuis l’e-mail lui-même.',
    stop: 'Si vous ne voulez plus recevoir d’e-mails, vous pouvez aussi répondre «\u00a0stop\u00a0» au message. Cela suffit.',
    later: 'Cela ne fonctionne pas pour le moment',
    laterWhy: 'La faute est de notre côté. Attendez une minute et réessayez\u00a0: rien n’est perdu, et un second essai est sans risque.',
    request: 'Si cela échoue encore, ce numéro aide à comprendre pourquoi\u00a0:',
  },
  es: {
    missing: 'No hay nada en esta dirección',
    missingWhy: 'Puede que esté mal escrita o que la página se haya movido. Si la ha copiado de un correo, quizá falte una parte.',
    start: 'Ir a la página de inicio',
    broken: 'Este enlace no funciona',
    brokenWhy:
      'Puede que un salto de línea lo haya cortado o que haya cambiado por el camino. No se ha cambiado nada. Ábralo de nuevo desde el propio correo.',
    stop: 'Si no quiere recibir más correos, también puede responder al mensaje con «stop». Con eso basta.',
    later: 'Esto no funciona en este momento',
    laterWhy: 'El fallo es nuestro. Espere un minuto y vuelva a intentarlo: no se pierde nada, y probar dos veces no tiene consecuencias.',
    request: 'Si sigue fallando, este número ayuda a saber por qué:',
  },
}
