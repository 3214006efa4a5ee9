import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge, WRITTEN_AT } from '../corpus/corpus.ts'
import { sentencesOf } from '../src/clauses.ts'
import { findDays, startOfDay } from '../src/days.ts'
import { withoutFooters } from '../src/footers.ts'
import { isForeign } from '../src/language.ts'
import { normalizeText } from '../src/normalize.ts'
import { stripQuotes } from '../src/quotes.ts'
import { findDeferral, findReferral } from '../src/referral.ts'
import { type ReplyKind, settleKind } from '../src/reply-class.ts'
import { findReturnDate, isoDay } from '../src/return-date.ts'
import { pointsOf } from '../src/signals.ts'

/** Tests of the single stages. */

const kinds = (expected: [string, ReplyKind][]) => {
  for (const [text, kind] of expected) assert.equal(judge(text).kind, kind, text)
}

test('abbreviations are expanded, addresses and links become one word, and wrapped lines are joined', () => {
  const [first, second] = sentencesOf(normalizeText("I don't think we'll need it, see https://x.example/a. Write to a.b@c.example"))
  assert.equal(first?.text, 'i do not think we will need it , see @link ')
  assert.equal(second?.text, 'write to @address ')
  const wrapped = 'Please be so kind and do not ever write to any\nof us again'
  assert.equal(sentencesOf(normalizeText(wrapped)).length, 1)
})

test('the part after "but" weighs more than the part before it, in four languages', () => {
  for (const text of ['sounds great but we have one', 'klingt gut, passt aber nicht', 'super mais non', 'suena bien pero no']) {
    const [before, after] = sentencesOf(text)[0]!.clauses
    assert.ok(before!.weight < 1 && after!.weight > 1, text)
  }
})

test('the last clause decides, an idiom is not a refusal, and an answered question counts by its answer', () =>
  kinds([
    ['Sounds great, but we just signed with someone else.', 'negative'],
    ["I don't have time this week but would love to talk on Tuesday.", 'positive'],
    ['No problem, 3pm is fine', 'positive'],
    ['Warum nicht, schlagen Sie einen Termin vor.', 'positive'],
    ["Can't wait to see the demo.", 'positive'],
    ['Interested? Not really.', 'negative'],
    ['Interesse? Eher nicht.', 'negative'],
  ]))

test('an opt-out needs the sender, the list, the mails or the data as its object', () => {
  kinds([
    ["I'd unsubscribe from our current vendor if yours is better. Let's talk.", 'positive'],
    ['I almost hit unsubscribe, but this is interesting. Send me the pricing.', 'positive'],
    ['Please stop by our booth.', 'positive'],
    ['Interesting product, but please unsubscribe me.', 'opt_out'],
    ['Bitte nehmen Sie mich aus dem Verteiler.', 'opt_out'],
    ['Merci de ne plus me contacter.', 'opt_out'],
    ['Por favor, no me escriban más.', 'opt_out'],
  ])
  assert.equal(pointsOf(sentencesOf('can your tool remove duplicates from our list ?')).opt_out, 0)
})

test("a question about opt-outs of others is only a question, and about one's own it is an opt-out", () =>
  kinds([
    ['What happens when one of the recipients unsubscribes?', 'neutral'],
    ['Wer löscht die Daten, wenn ein Nutzer sich abmeldet?', 'neutral'],
    ['¿Cómo gestionan las bajas de los clientes?', 'neutral'],
    ['How do I unsubscribe?', 'opt_out'],
    ['Is there an unsubscribe button?', 'opt_out'],
    ['¿Me pueden sacar de la lista de contactos?', 'opt_out'],
    ["I'd normally hit unsubscribe on these, but what would a trial cost?", 'positive'],
    ['Diese E-Mail-Adresse wird nicht mehr abgerufen.', 'auto_reply'],
  ]))

test('an automatic reply is recognized by its text without headers', () =>
  kinds([
    ['This inbox is not monitored.', 'auto_reply'],
    ['Your request has been logged under case 4711. We aim to reply within two business days.', 'auto_reply'],
    ['Dieses Postfach wird nicht gelesen.', 'auto_reply'],
    ['Nos bureaux sont fermés du 24 décembre au 2 janvier inclus.', 'auto_reply'],
    ['Ya no trabajo en la empresa. Escriban a info@empresa.example.', 'auto_reply'],
    ['Ich bin bis Freitag im Urlaub.', 'auto_reply'],
    ["I'm travelling until Monday, call me then and we'll set up a demo.", 'positive'],
  ]))

test('days are recognized in many forms, and a day without a year is the next one', () => {
  const expected: [string, string][] = [
    ['from 9 to 13 march', '2026-03-13'],
    ['feb 9-20', '2026-02-20'],
    ['in march', '2026-03-01'],
    ['mid-march', '2026-03-15'],
    ['ende marz', '2026-03-31'],
    ['q3', '2026-07-01'],
    ['next quarter', '2026-04-01'],
    ['im nachsten jahr', '2027-01-01'],
    ['dans deux semaines', '2026-02-24'],
    ['in six months', '2026-08-10'],
    ['monday, march 2', '2026-03-02'],
    ['el jueves 19', '2026-02-19'],
    ['on the 24th', '2026-02-24'],
    ['nach ostern', '2026-04-07'],
    ['del 23 de diciembre al 7 de enero', '2027-01-07'],
    ['24-feb-2026', '2026-02-24'],
    ['02.24.2026', '2026-02-24'],
    ['16/2-20/2', '2026-02-20'],
    ['am 24.02', '2026-02-24'],
    ['returning september 2026', '2026-09-01'],
    ['back in a fortnight', '2026-02-24'],
    ['six weeks from now', '2026-03-24'],
    ['zwei wochen im urlaub', '2026-02-24'],
    ['all of february', '2026-02-28'],
    ['back on mon 23rd', '2026-02-23'],
    ['september is when we plan', '2026-09-01'],
  ]
  for (const [text, day] of expected) assert.equal(isoDay(findDays(text, WRITTEN_AT).at(-1)?.day ?? 0), day, text)
  assert.equal(startOfDay(WRITTEN_AT), Date.UTC(2026, 1, 10))
})

test('a date with slashes is read in the order of its language, or of the other dates next to it', () => {
  assert.equal(findReturnDate('de retour le 03/04/2026', WRITTEN_AT), '2026-04-03')
  assert.equal(findReturnDate('on PTO, back 03/04/2026', WRITTEN_AT), '2026-03-04')
  assert.equal(findReturnDate('out 02/16/2026 - 03/04/2026', WRITTEN_AT), '2026-03-04')
})

test('a return date can precede its cue, be a range across the new year, or be only a month', () => {
  const christmas = new Date('2026-12-21T10:00:00Z')
  assert.equal(findReturnDate('fermés du 24 décembre au 2 janvier inclus', christmas), '2027-01-02')
  assert.equal(findReturnDate('Am 18. Februar bin ich zurück', WRITTEN_AT), '2026-02-18')
  assert.equal(findReturnDate('on parental leave until June', WRITTEN_AT), '2026-06-01')
  assert.equal(findReturnDate('unavailable for the next two weeks', WRITTEN_AT), '2026-02-24')
  assert.equal(findReturnDate('im Urlaub bis inkl. 24. Feb.', WRITTEN_AT), '2026-02-24')
})

test('a last day of absence, and a day of reopening next to opening hours, are return days', () => {
  for (const text of [
    'I am on holiday. My last day away is Friday 20 February.',
    'Ich bin nicht im Büro. Mein letzter Urlaubstag ist Freitag, der 20. Februar.',
    'Dernier jour de congés : le 20 février.',
    'Mi último día de vacaciones es el 20 de febrero.',
    'Away through Thursday, 19 February. I will be replying to emails on the 20th.',
    'We reopen on 20 February at our usual opening hours.',
    'Ab dem 20.02. öffnen wir wieder zu den üblichen Öffnungszeiten.',
    'Nous rouvrons le 20 février aux horaires habituels.',
    'Cerrado los días 18 y 19 de febrero. Volvemos a abrir el 20/02/2026 en nuestro horario habitual.',
  ])
    assert.equal(findReturnDate(text, WRITTEN_AT), '2026-02-20', text)
  for (const text of [
    'Wir sind wieder zu den üblichen Bürozeiten (Mo-Fr 9-17 Uhr) für Sie da.',
    'Wir öffnen wieder zu den üblichen Zeiten, Mo-Do 8-16 Uhr, Fr 8-12 Uhr.',
    'Nous revenons vers vous au plus vite, nos horaires sont du lundi au vendredi.',
    'Nous reviendrons vers vous pendant nos horaires, du lundi au vendredi.',
    'Regresamos su llamada en horario de oficina, de lunes a viernes.',
  ])
    assert.equal(findReturnDate(text, WRITTEN_AT), null, text)
})

test('a temporary absence with a return day has a return date', () => {
  for (const text of [
    'I have left for vacation, returning on 20 February.',
    'I am leaving today and return on 20 February.',
    'I have left the office and return 20 February.',
    'Ich habe das Büro verlassen und bin am 20. Februar zurück.',
  ])
    assert.equal(findReturnDate(text, WRITTEN_AT), '2026-02-20', text)
  assert.equal(findReturnDate('Anna has left the company on 27 February and will not return.', WRITTEN_AT), null)
  assert.equal(findReturnDate('Frau Berg hat das Unternehmen zum 28. Februar verlassen und kommt nicht zurück.', WRITTEN_AT), null)
})

test('a deferral names its day and a referral its address and name', () => {
  assert.equal(findDeferral('Not now, reach out in March.', WRITTEN_AT), '2026-03-01')
  assert.equal(findDeferral('What is it about?', WRITTEN_AT), null)
  for (const text of ['Write me again on 2 March', 'Rufen Sie am 2. März durch', 'Écrivez-nous le 2 mars', 'Escríbanos el 2 de marzo']) {
    assert.equal(findDeferral(text, WRITTEN_AT), '2026-03-02', text)
  }
  const referral = findReferral("I'm not the right person, try Anna Berg (anna.berg@x.example).", 'me@x.example')
  assert.deepEqual(referral, { email: 'anna.berg@x.example', name: 'Anna Berg' })
  assert.equal(findReferral('Not the right person. me@x.example', 'me@x.example'), null)
  assert.equal(findReferral('On leave. Jo Martin (jo@x.example) is covering for me.', 'me@x.example')?.name, 'Jo Martin')
})

test('the model alone never makes a reply interested', () => {
  const judged = judge('Our purple umbrellas were green last winter.')
  assert.notEqual(settleKind(judged).kind, 'positive')
})

test("the footer of an organization is not the person's text", () => {
  const said = 'Yes, Tuesday is fine.'
  const notices = [
    'If you no longer wish to receive messages from us, reply with REMOVE.',
    'This email is confidential. If you are not the intended recipient, delete it.',
    'Wenn Sie nicht der richtige Adressat sind, löschen Sie diese E-Mail bitte.',
    "Ce message est confidentiel. Si vous l'avez reçu par erreur, supprimez-le.",
    'Puede ejercer sus derechos de acceso y supresión en rgpd@x.example.',
  ]
  for (const notice of notices) {
    assert.equal(withoutFooters(`${said}\n\n${notice}`), said, notice)
    assert.equal(judge(`${said}\n\n${notice}`).kind, 'positive', notice)
  }
  assert.equal(judge('Thanks.\n\nIf you are not the data protection officer, tell them: delete my data.').kind, 'opt_out')
  assert.equal(withoutFooters(notices[0] as string), notices[0])
})

test('in Italian, Dutch and Portuguese, opt-outs and automatic replies are recognized, and the rest needs review', () => {
  kinds([
    ['Vi prego di cancellarmi dalla vostra lista.', 'opt_out'],
    ['Ik wil geen mails meer ontvangen.', 'opt_out'],
    ['Por favor, retirem o meu email da vossa lista.', 'opt_out'],
    ['Sono fuori ufficio fino al 16 febbraio.', 'auto_reply'],
    ['Nee bedankt, geen interesse.', 'negative'],
  ])
  assert.equal(findReturnDate('Ik ben afwezig tot en met 22 februari.', WRITTEN_AT), '2026-02-22')
  assert.equal(findReturnDate('Estou de férias, regresso a 2 de março.', WRITTEN_AT), '2026-03-02')
})

test('an uncertain reply stops the campaign and needs review; an opt-out always counts', () => {
  for (const confidence of [0.3, 0.79]) {
    for (const kind of ['auto_reply', 'positive', 'neutral'] as const)
      assert.deepEqual(settleKind({ kind, confidence }), { kind: 'neutral', needsLook: true })
    assert.deepEqual(settleKind({ kind: 'negative', confidence }), { kind: 'negative', needsLook: true })
    for (const kind of ['opt_out', 'bounce'] as const) assert.deepEqual(settleKind({ kind, confidence }), { kind, needsLook: false })
  }
  for (const kind of ['auto_reply', 'positive'] as const)
    assert.deepEqual(settleKind({ kind, confidence: 0.8 }), { kind, needsLook: false })
})

test('a text in another language needs review, and a known opt-out in it counts', () => {
  const foreign = [
    'Sì, possiamo sentirci giovedì?',
    'Klinkt goed, kun je donderdag bellen?',
    'Proszę o więcej informacji i cennik.',
    'Интересно',
  ]
  for (const text of [...foreign, 'Gostaria de marcar uma reunião.']) {
    assert.deepEqual(settleKind(judge(text)), { kind: 'neutral', needsLook: true }, text)
    assert.ok(isForeign(normalizeText(text)), text)
  }
  for (const text of ['Ja, gerne.', 'Non merci.', 'Vale.', 'ok', 'Sure, 3pm', 'Thanks, Ben'])
    assert.ok(!isForeign(normalizeText(text)), text)
  assert.equal(judge('Grazie, unsubscribe').kind, 'opt_out')
})

test('words of an opt-out about something else are not one, and an opt-out does not need these words', () =>
  kinds([
    ['We are about to cancel our subscription with our provider, so call me.', 'positive'],
    ["Don't contact me before June, we are in an audit.", 'neutral'],
    ['Inutile de m’envoyer une plaquette, appelez-moi plutôt.', 'positive'],
    ['Setzen Sie uns bitte auf die Warteliste für den Test.', 'positive'],
    ['Let this be the last message I get from you.', 'opt_out'],
    ['Lose my details.', 'opt_out'],
    ['Sparen Sie sich bitte die nächsten Erinnerungsmails.', 'opt_out'],
    ['Inutile de me relancer.', 'opt_out'],
    ['Que sea el último correo.', 'opt_out'],
  ]))

test('an opt-out is recognized by its parts: an act of writing, the person to leave alone, and no other request', () =>
  kinds([
    ['Not for us, and no need for the follow-ups either please.', 'opt_out'],
    ['Nope. And don\'t "circle back".', 'opt_out'],
    ['Kindly expunge Rowntree Logistics from whatever tool generates these.', 'opt_out'],
    ['Could you note in your CRM that we are not to be approached?', 'opt_out'],
    ['Nein danke und bitte auch nicht nochmal nachfragen.', 'opt_out'],
    ['Non. Et inutile de revenir vers moi.', 'opt_out'],
    ['Este correo es personal, no lo utilicen para esto.', 'opt_out'],
  ]))

test("another object, or the writer's own acts, are not an opt-out", () =>
  kinds([
    ["Please remove the second attendee from the invite, I'll come alone. See you Thursday at 10.", 'positive'],
    ["Stop it, that price can't be real. Send me the contract.", 'positive'],
    ['Remove the setup fee and you have a deal.', 'positive'],
    ['Please take us off the waiting list and onto the paid plan.', 'positive'],
    ['We removed this from our roadmap.', 'negative'],
    ['We stopped cold outreach altogether, so your product is not for us.', 'negative'],
    ['Do not contact me until after the 1st of April please, we are in audit.', 'neutral'],
    ['Das haben wir von der Liste gestrichen.', 'negative'],
    ['Comment vos clients se désinscrivent-ils ?', 'neutral'],
  ]))

test('ironic delight is not interest', () =>
  kinds([
    ['Sí, claro, y yo soy el Papa.', 'negative'],
    ['Yeah right. And pigs fly.', 'negative'],
    ['Oui oui, et la marmotte...', 'negative'],
  ]))

test('the last day of an absence is the return date if no return is named', () => {
  assert.equal(findReturnDate('not in the office this Thursday and Friday', WRITTEN_AT), '2026-02-13')
  assert.equal(findReturnDate('cerrado los días 16 y 17 de febrero', WRITTEN_AT), '2026-02-17')
  assert.equal(findReturnDate('shut between 14 and 22 February', WRITTEN_AT), '2026-02-22')
  assert.equal(findReturnDate('absent du 9 au 13', WRITTEN_AT), '2026-02-13')
  assert.equal(findReturnDate('Cerrado por Semana Santa. Retomaremos la actividad el martes 7 de abril.', WRITTEN_AT), '2026-04-07')
  assert.equal(findReturnDate('Nous rouvrirons le 2 mars.', WRITTEN_AT), '2026-03-02')
  assert.equal(findReturnDate('Vuelve a escribirme en abril, por favor.', WRITTEN_AT), null)
  assert.equal(findReturnDate('Ab KW 9 wieder im Büro', WRITTEN_AT), '2026-02-23')
  assert.equal(findReturnDate('out for the rest of the week', WRITTEN_AT), '2026-02-13')
  assert.equal(findReturnDate('I have been on leave since 2 February', WRITTEN_AT), null)
  assert.equal(findReturnDate('our hours are from 9 to 5', WRITTEN_AT), null)
  assert.equal(findReturnDate('Our office hours are Monday to Friday. We will get back to you.', WRITTEN_AT), null)
  assert.equal(findReturnDate('The person you wrote to retired in December.', WRITTEN_AT), null)
  assert.equal(findReturnDate('Unsere Öffnungszeiten: Montag bis Freitag. Geschlossen bis 22. Feber.', WRITTEN_AT), '2026-02-22')
})

test('a threat, a last request, a farewell and an order without an object are opt-outs', () =>
  kinds([
    ['If another one of these arrives, our lawyers will be in touch.', 'opt_out'],
    ['Noch so eine Mail und ich wende mich an die Datenschutzbehörde.', 'opt_out'],
    ['Si vous me réécrivez, je porte plainte.', 'opt_out'],
    ['El próximo correo va a mi abogado.', 'opt_out'],
    ['This is the third time I am asking.', 'opt_out'],
    ['Comment avez-vous eu mon adresse ? Merci de la supprimer.', 'opt_out'],
    ['¿Podríais sacarme de esta cadena de correos?', 'opt_out'],
    ['My boss wants me to tell you to stop.', 'opt_out'],
    ['Lose our number. We are done here.', 'opt_out'],
    ['Das war das letzte Mal, dass Sie mir geschrieben haben.', 'opt_out'],
  ]))

test('words of an opt-out in another sense do not influence the model', () => {
  for (const text of [
    'Take the 3pm off your list of options, but 4pm on Wednesday is perfect.',
    'Say no more, where do I sign?',
    'Please remove my address from the order, I moved.',
    'Stop! I love it',
    'Lassen Sie mich in Ruhe überlegen, dann bestelle ich.',
    'Ich muss mich für Donnerstag leider abmelden, geht Freitag?',
    'Bitte entfernen Sie mich nicht.',
    'On ne veut plus de notre logiciel actuel, montrez-moi le vôtre.',
    'Basta con una llamada de media hora.',
  ])
    assert.notEqual(judge(text).kind, 'opt_out', text)
})

test('a canceled call is not a sign of interest', () => {
  for (const text of ['Die Einladung bitte stornieren, ich schicke eine neue.', 'Please cancel the call on Thursday.'])
    assert.notEqual(settleKind(judge(text)).kind, 'positive', text)
})

test('our own subject does not make a reply automatic, but its own automatic subject does', () => {
  const asked = (subject: string) => judge('Please unsubscribe me', subject).kind
  const ours = [
    ...['Re: Case study', 'RE: Absence management', 'AW: Abwesenheiten planen', 'Re: Out of office coverage', 'TR : Absence des salariés'],
    ...['Case study', 'Re: Support ticket requests at Acme', 'Re: Event ticket 2026 prices', 'Re: Quick question. Auto reply bots'],
    ...[
      '[EXTERNAL] Re: Absence management',
      'Antwort: Abwesenheiten planen',
      'Re[2]: Out of office',
      'R: Absence',
      'Support ticket requests',
    ],
  ]
  for (const subject of ours) assert.equal(asked(subject), 'opt_out', subject)
  const theirs = [
    ...['Out of office', 'Automatic reply: Case study', 'Re: Automatic reply: Case study', '[EXTERNAL] Automatic reply: Case study'],
    ...['Case #00123', '[Ticket #48213] Case study', 'Ticket 48213: Case study', '[EXTERNAL] Out of office'],
  ]
  for (const subject of theirs) assert.equal(asked(subject), 'auto_reply', subject)
})

test('a return date is found in four languages, relative to the day of writing', () => {
  const expectations: [string, string | null][] = [
    ['I will be back on 12 March', '2026-03-12'],
    ['back in the office on Monday', '2026-02-16'],
    ['out from 9 February until 18 February 2026', '2026-02-18'],
    ['returning January 5th', '2027-01-05'],
    ['on leave until 2026-04-01.', '2026-04-01'],
    ['I return tomorrow', '2026-02-11'],
    ['bis zum 3.4. nicht im Büro', '2026-04-03'],
    ['bis einschließlich 27.02.2026', '2026-02-27'],
    ['ab dem 16. Februar wieder erreichbar', '2026-02-16'],
    ['ab Montag wieder da', '2026-02-16'],
    ['de retour le lundi 16 février', '2026-02-16'],
    ["absente jusqu'au 20/02/2026", '2026-02-20'],
    ['je reviens le 1er mars', '2026-03-01'],
    ['vuelvo el 25 de febrero', '2026-02-25'],
    ['de vacaciones hasta el 9 de marzo de 2026', '2026-03-09'],
    ['estaré de vuelta el miércoles', '2026-02-11'],
    ['back on 02/12/2026', '2026-02-12'],
    ['back on 31 February', null],
    ['founded on 12 March', null],
    ['back on 3 May 1999', null],
  ]
  for (const [text, day] of expectations) assert.equal(findReturnDate(text, WRITTEN_AT), day, text)
})

test("a postscript after the signature, and thanks after a greeting, are the person's text", () => {
  assert.equal(
    stripQuotes('Not for us.\n\nBest,\nTom\nHead of IT\n\nP.S. Please do not write again.'),
    'Not for us.\n\nP.S. Please do not write again.',
  )
  assert.equal(stripQuotes('Hi Lena,\nThanks.\nStop please.'), 'Hi Lena,\nThanks.\nStop please.')
})

test('answers between the quoted lines are kept', () => {
  assert.equal(
    stripQuotes('On Mon, Lena wrote this and\nOn Mon, 9 Feb, Lena wrote:\n> A?\nYes to A.\n> B?\nNo to B.').includes('Yes to A.\nNo to B.'),
    true,
  )
})
