import { acceptedLanguage, type Language, languageOfTag } from '../../lib/accept.ts'
import { escapeHtml, htmlPage } from '../../lib/html-page.ts'
import type { Correspondence } from './tracking.ts'

/** The texts of the pages. `who` is the sender and `address` is the recipient's address, both as HTML; null when unknown. */
interface Words {
  ask: string
  nothingYet: string
  consequence(who: string | null, address: string | null): string
  others: string
  button: string
  done: string
  doneFor(who: string | null, address: string | null): string
  onItsWay: string
  mistake(writeTo: string): string
  mistakeOf: string
  already: string
  close: string
}

export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    ask: 'Unsubscribe?',
    nothingYet: 'Nothing has been changed yet.',
    consequence: (who, address) =>
      `When you press the button, ${who ?? 'the sender of this message'} will stop emailing ${address ?? 'your address'}.`,
    others: 'This also applies to colleagues of the sender who use the same account. You do not need a password or a reason.',
    button: 'Unsubscribe',
    done: 'You are unsubscribed',
    doneFor: (who, address) => `${who ?? 'The sender'} will not email ${address ?? 'your address'} again.`,
    onItsWay: 'A message that was already on its way may still arrive.',
    mistake: writeTo => `If this was a mistake, write to ${writeTo}: only they can undo it.`,
    mistakeOf: 'If this was a mistake, reply to the email. Only its sender can undo this.',
    already: 'You are already unsubscribed',
    close: 'You can close this page.',
  },
  de: {
    ask: 'Abmelden?',
    nothingYet: 'Bisher wurde nichts geändert.',
    consequence: (who, address) =>
      `Wenn Sie auf die Schaltfläche klicken, schreibt ${who ?? 'der Absender dieser Nachricht'} nicht mehr an ${address ?? 'Ihre Adresse'}.`,
    others: 'Das gilt auch für Kolleginnen und Kollegen, die über dasselbe Konto schreiben. Sie brauchen kein Passwort und keinen Grund.',
    button: 'Abmelden',
    done: 'Sie sind abgemeldet',
    doneFor: (who, address) => `${who ?? 'Der Absender'} schreibt nicht mehr an ${address ?? 'Ihre Adresse'}.`,
    onItsWay: 'Eine Nachricht, die schon unterwegs war, kann noch ankommen.',
    mistake: writeTo => `Falls das ein Versehen war, schreiben Sie an ${writeTo}: Nur dort kann es rückgängig gemacht werden.`,
    mistakeOf: 'Falls das ein Versehen war, antworten Sie auf die Nachricht: Nur ihr Absender kann es rückgängig machen.',
    already: 'Sie haben sich bereits abgemeldet',
    close: 'Sie können diese Seite schließen.',
  },
  fr: {
    ask: 'Se désinscrire\u00a0?',
    nothingYet: 'Rien n’a encore été modifié.',
    consequence: (who, address) =>
      `Si vous appuyez sur le bouton, ${who ?? 'l’expéditeur de ce message'} n’écrira plus à ${address ?? 'votre adresse'}.`,
    others:
      'Cela vaut aussi pour les collègues qui écrivent depuis le même compte. Aucun mot de passe ni aucune raison ne vous sont demandés.',
    button: 'Se désinscrire',
    done: 'Votre désinscription est enregistrée',
    doneFor: (who, address) => `${who ?? 'L’expéditeur'} n’écrira plus à ${address ?? 'votre adresse'}.`,
    onItsWay: 'Un message déjà parti peut encore arriver.',
    mistake: writeTo => `Si c’était une erreur, écrivez à ${writeTo}\u00a0: seule cette personne peut revenir en arrière.`,
    mistakeOf: 'Si c’était une erreur, répondez au message reçu\u00a0: seul son expéditeur peut revenir en arrière.',
    already: 'Votre désinscription était déjà enregistrée',
    close: 'Vous pouvez fermer cette page.',
  },
  es: {
    ask: '¿Darse de baja?',
    nothingYet: 'Todavía no se ha cambiado nada.',
    consequence: (who, address) =>
      `Si pulsa el botón, ${who ?? 'el remitente de este mensaje'} no volverá a escribir a ${address ?? 'su dirección'}.`,
    others: 'Esto vale también para los compañeros que escriben desde la misma cuenta. No necesita contraseña ni motivo.',
    button: 'Darse de baja',
    done: 'Se ha dado de baja',
    doneFor: (who, address) => `${who ?? 'El remitente'} no volverá a escribir a ${address ?? 'su dirección'}.`,
    onItsWay: 'Un mensaje que ya estaba en camino puede llegar todavía.',
    mistake: writeTo => `Si ha sido un error, escriba a ${writeTo}: solo allí pueden deshacerlo.`,
    mistakeOf: 'Si ha sido un error, responda al mensaje recibido: solo su remitente puede deshacerlo.',
    already: 'Ya se había dado de baja',
    close: 'Puede cerrar esta página.',
  },
}

/** The pages that a recipient sees. They show only as much of an address as its owner needs to recognize it. */

/** The language of the message, or when it is unknown, the language of the browser. */
const languageOf = ({ language }: Correspondence, accepted: string | null): Language =>
  languageOfTag(language) ?? acceptedLanguage(accepted) ?? 'en'

/** The question before unsubscribing. Programs open every link in an email, so showing this page changes nothing. */
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

/** Only the sender can undo it: any other person with the email could press such a button, too. */
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
