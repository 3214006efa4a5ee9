import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRead, judge, kindOf, linesOf } from '../corpus/corpus.ts'
import { settleKind } from '../src/reply-class.ts'

const lostOf = (texts: string[]) => texts.filter(text => kindOf(text) !== 'opt_out')

function sectionsOf(file: string): Map<string, string[]> {
  const sections = new Map<string, string[]>()
  let section: string[] = []
  for (const line of linesOf(file))
    if (line.startsWith('[')) {
      section = []
      sections.set(line.slice(1, -1), section)
    } else section.push(line)
  return sections
}

const grid = sectionsOf('opt-out-grid.txt')
const letters = sectionsOf('opt-out-letters.txt')

const COURTESIES: Record<string, [before: string, behind: string]> = {
  en: [
    'Dear Lena,\n\nThank you for the proposal you sent us last week. I read it with interest, and my colleagues liked the idea.',
    'I wish you every success.\n\nKind regards,\nAnna Moss\nOffice Manager',
  ],
  de: [
    'Sehr geehrte Frau Fischer,\n\nvielen Dank für Ihr Angebot. Unser Geschäftsführer hat es mit Interesse gelesen.',
    'Ich wünsche Ihnen viel Erfolg.\n\nMit freundlichen Grüßen\nAnna Moos',
  ],
  fr: [
    "Bonjour Lena,\n\nMerci pour votre proposition, que j'ai lue avec intérêt. L'idée a plu à mon équipe.",
    'Je vous souhaite une bonne continuation.\n\nCordialement,\nAnne Moreau',
  ],
  es: [
    'Estimada Lena:\n\nGracias por su propuesta, que he leído con interés. La idea gustó a mi equipo.',
    'Le deseo mucho éxito.\n\nUn saludo,\nAna Mora',
  ],
}

for (const [language, [before, behind]] of Object.entries(COURTESIES))
  test(`an opt-out in the middle of a polite letter is recognized, however it is worded (${language})`, () => {
    const ways = letters.get(language) as string[]
    assert.deepEqual(
      ways.filter((way, row) => isRead(row, 5) && kindOf(`${before}\n\n${way}\n\n${behind}`) !== 'opt_out'),
      [],
    )
  })

test('an opt-out without a known phrase is recognized in a letter, and a wish after it cancels it', () => {
  const [before, behind] = COURTESIES.en as [string, string]
  const asked = 'I would rather this address did not turn up in your mailings.'
  assert.equal(kindOf(`${before}\n\n${asked}\n\n${behind}`), 'opt_out')
  assert.notEqual(kindOf(`${before}\n\n${asked} Could you call me on Tuesday instead?\n\n${behind}`), 'opt_out')
  const greeted =
    'Lena, good to hear from you.\n\nThe project has been shelved, and my team was cut by a third. I am sorry it is not better news.'
  assert.equal(kindOf(greeted), 'negative')
})

test('a referral to a named person is not an opt-out, even if the writer wants to be left out', () => {
  const handedOver =
    'Hi Lena,\n\nI have handed this over. Imran is the one you want now, imran@brightco.example. I told him to expect your note.'
  assert.equal(kindOf(`${handedOver} Please leave me out of the thread from here on.\n\nThanks,\nBeth`), 'neutral')
})

test('ending the correspondence is an opt-out, in four languages', () => {
  assert.deepEqual(
    lostOf([
      'Our correspondence ends with this message.',
      'I would be grateful if this could be the end of our exchange.',
      'Consider this my final note to you.',
      'Count me out of the next round.',
      'Damit ist unser Schriftwechsel beendet.',
      'Nos échanges s’arrêtent ici.',
      'Le rogaría que diera por cerrada esta conversación.',
    ]),
    [],
  )
})

test('a personal paragraph is not a footer, even if it mentions a managing director or a privacy policy', () => {
  assert.deepEqual(
    lostOf([
      'Hallo Frau Fischer,\n\nunser Geschäftsführer hat entschieden: bitte nehmen Sie uns aus dem Verteiler.\n\nGruß\nAnna',
      'Hi Lena,\n\nWe have tried to unsubscribe twice, please see to it.\n\nTom',
      'Hello,\n\nour privacy policy does not allow this. Delete us from your list.\n\nBen',
    ]),
    [],
  )
})

for (const language of ['en', 'de', 'fr', 'es'])
  test(`an opt-out that names the product counts, whatever the product (${language})`, () => {
    const things = grid.get(`${language} things`) as string[]
    const ways = grid.get(`${language} ways`) as string[]
    assert.deepEqual(
      lostOf(ways.flatMap((way, row) => things.filter((_, turn) => isRead(row + turn, 5)).map(thing => way.replace('X', thing)))),
      [],
    )
  })

test('an opt-out that mentions a price, a board or a budget still counts', () => {
  assert.deepEqual(lostOf(linesOf('opt-outs.txt').filter((_, row) => isRead(row, 5))), [])
})

test('a final opt-out counts even if it names every channel, a promise or a time', () => {
  assert.deepEqual(
    lostOf([
      'Do not contact me again by email, phone or LinkedIn.',
      "Don't email me, don't call me.",
      'Do not email me today, tomorrow or ever again.',
      'Please do not contact us again, we will be in touch if we ever need you.',
      'Bitte nicht mehr schreiben oder anrufen.',
      'Ne me contactez plus, ni par mail ni sur LinkedIn.',
      "Merci de ne plus m'écrire, je vous recontacterai si besoin.",
      'No me escriban más ni por correo ni por WhatsApp.',
    ]),
    [],
  )
  for (const text of ['Don’t call me, I prefer emails.', 'Ne m’appelez pas, je préfère les mails.', 'No me llame, prefiero el correo.'])
    assert.notEqual(kindOf(text), 'opt_out', text)
})

test('a possible opt-out below the threshold never counts as automatic or negative without review', () => {
  const short = ['Back off.', 'Back off!', 'Please back off.', 'Out please', 'Out!', 'Please out.', 'Off please!', 'Away please.']
  assert.deepEqual(
    short.filter(text => kindOf(text) !== 'opt_out' && !settleKind(judge(text)).needsLook),
    [],
  )
})

test('a final refusal is an opt-out, and a few unknown words are never a certain refusal', () => {
  assert.deepEqual(
    lostOf([
      'The answer is no, now and forever.',
      'Not another word.',
      'Nein, und das ist endgültig.',
      "C'est non, pour toujours.",
      'No, y es definitivo.',
      'Go bother someone else.',
      'Le pido que no vuelva a contactar conmigo ni con nadie de mi equipo.',
    ]),
    [],
  )
  const final = ['Ein klares, endgültiges Nein.', "It's a permanent no.", 'Is that a no forever?', 'Ya no. Gracias.']
  for (const text of ['Never, and that goes for all of us.', 'Definitely never.', 'Niemals, für immer nein.', 'Drop it.', ...final])
    assert.ok(kindOf(text) === 'opt_out' || settleKind(judge(text)).needsLook, text)
})

test("mentioning one's own mails or an old address is not an opt-out", () => {
  for (const text of [
    'We no longer send newsletters, so your tool is of no use to us.',
    'Wir verschicken keine Newsletter mehr, Ihre Lösung brauchen wir also nicht.',
    "Nous n'envoyons plus de newsletter depuis deux ans, votre outil ne nous servirait à rien.",
    'Ya no enviamos boletines, así que su herramienta no nos sirve.',
  ])
    assert.equal(kindOf(text), 'negative', text)
  const moved = 'Bitte schreiben Sie mir nicht mehr an die alte Adresse, sondern an diese hier. Die alte wird bald abgeschaltet.'
  assert.equal(kindOf(moved), 'neutral')
})

test('a misspelled, repeated or threatening opt-out counts, in four languages', () => {
  assert.deepEqual(
    lostOf([
      'pls stpo emialing me thx',
      'Bitte abmleden, danke',
      'Merci de me desabonenr',
      'Quiero darme de baaj',
      'I already got myself off this in June. Why am I hearing from you again in November?',
      'Ich habe mich schon im Juni ausgetragen. Wieso höre ich wieder von Ihnen?',
      "Je m'étais pourtant désabonné en juin. Pourquoi est-ce que je reçois encore vos messages ?",
      'Ya me di de baja en junio. ¿Por qué vuelvo a saber de ustedes?',
      'I have not agreed to this. One more and my solicitor will be in touch.',
      'Eine Zustimmung liegt nicht vor. Sollte das noch einmal passieren, folgt eine Beschwerde beim Landesbeauftragten.',
      'Aucun consentement de ma part. La prochaine fois, je porte plainte auprès de la CNIL.',
      'No he dado mi consentimiento. Si vuelven a hacerlo, presentaré una reclamación ante la Agencia de Protección de Datos.',
      "I'm not asking to be taken off your list, I'm demanding it.",
      'I say to you what my customers say to me: "take me off your list".',
      'Please remove Carla from cc and take me off your list too.',
      'Schicken Sie Ihre Werbung woanders hin.',
    ]),
    [],
  )
})

test('a denied opt-out, or one by or for others, does not count, in four languages', () => {
  for (const text of [
    "I'm not asking to be taken off your list, just curious: where did you find my address?",
    'Ich will gar nicht ausgetragen werden, mich interessiert nur, woher Sie meine Adresse haben.',
    'Surtout ne supprimez pas mon adresse, je suis juste en déplacement.',
    'No estoy pidiendo que me quiten de la lista, solo quiero saber de dónde sacaron mi correo.',
    'Customers write "stop emailing me" and the old system mails them anyway. Can we see yours?',
    'Empfänger, die sich austragen möchten, pflegen wir in einer Excel-Tabelle.',
    'Les abonnés qui veulent se désinscrire sont gérés dans notre CRM.',
    'Los clientes nos escriben "no me manden más correos" y el sistema antiguo sigue enviando. Quiero verlo.',
    "Please remove Carla from cc, this isn't her area. You can leave me on.",
    'Nehmen Sie bitte Herrn Vogt vom Verteiler, mich können Sie drauf lassen.',
    'I have not agreed to your terms yet, our lawyers will send comments next week.',
    'How do we get our data out of our old CRM?',
  ])
    assert.notEqual(kindOf(text), 'opt_out', text)
})
