import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRead, judge, kindOf, linesOf } from '../corpus/corpus.ts'

const BUYERS = linesOf('buyers.txt').filter((_, row) => isRead(row, 5))

test('a buyer who uses the words of an opt-out is not suppressed', () => {
  assert.deepEqual(
    BUYERS.filter(text => kindOf(text) === 'opt_out'),
    [],
  )
})

test('an apology for a long silence with a request for a call is interest', () => {
  assert.equal(kindOf('Entschuldigen Sie die Funkstille, das war viel. Können wir nächste Woche sprechen?'), 'positive')
})

test('an opt-out with its object still counts', () => {
  const optOuts = [
    'The next one goes to our lawyers.',
    'I have flagged your email as spam.',
    'This is the second time I ask you to stop.',
    'Beim nächsten Mal melde ich das der Datenschutzbehörde.',
    'Hört bitte auf, mir zu schreiben.',
    'Je vous ai mis en indésirable.',
    'J’en ai marre de vos relances.',
    '¿Puede quitarme de su lista?',
    'Nunca pedí recibir esto.',
    'Where did you get my address? Delete it.',
    'Woher haben Sie meine Adresse? Bitte löschen Sie sie.',
    'Quien le vendió mi correo que se lo quede. Bórrelo.',
  ]
  assert.deepEqual(
    optOuts.filter(text => kindOf(text) !== 'opt_out'),
    [],
  )
})

test('in a letter, the part after the last turn decides, and past things are not wishes', () => {
  const praised = 'Thank you for the detailed proposal and the demo.'
  assert.equal(kindOf(`${praised} Unfortunately, we have decided to stay with our current supplier.`), 'negative')
  assert.equal(kindOf('Gracias por la demostración y por el presupuesto. Al final seguimos con nuestro proveedor.'), 'negative')
  assert.equal(kindOf('Wir waren lange zufrieden. Inzwischen suchen wir Ersatz, können Sie mir ein Angebot schicken?'), 'positive')
})

test('a letter is read as a whole, whatever pleasantry or holiday is in its last paragraph', () => {
  const accepted =
    `Dear Lena,\n\nyes, we want to go ahead with the pilot for 20 users as described, and the price is fine for us. ` +
    `I have spoken with our CFO, and he has released the budget for this quarter.`
  const absent =
    'Please note that our office is closed on Friday, and that I am on vacation from 20 February to 2 March; my colleague Anna takes my calls.'
  assert.equal(kindOf(`${accepted}\n\n${absent}`), 'positive')
  const refused =
    `Hi Lena,\n\nwe went through your proposal in the team meeting, and the answer is no: the price is too high, ` +
    `and we lack the people for such a project this year. We have signed with another vendor last week.`
  const thanks =
    'Thank you for the time and for the good talk. It was a pleasure to meet you, and I would be happy to recommend you to others who look for such a tool.'
  assert.equal(kindOf(`${refused}\n\n${thanks}`), 'negative')
  const optedOut =
    `Hello Lena,\n\nplease be so kind as to spare us further letters of this kind; ` +
    `we have a purchasing department, and it finds its suppliers by itself, without anybody's help and without any letters from strangers.`
  const pleasant =
    'I hope you have a pleasant spring and that your team enjoys the sunny days ahead; it is a lovely time of the year in our town.'
  assert.equal(kindOf(`${optedOut}\n\n${pleasant}`), 'opt_out')
})

test('the words of an opt-out about a price, a seat or a contract are not one, but firm ones are', () => {
  assert.notEqual(kindOf('Take 10 percent off your price and we sign.'), 'opt_out')
  assert.equal(kindOf('Remove me from your price list mailings.'), 'opt_out')
  assert.equal(kindOf('We have a contract already, so please take us off your list.'), 'opt_out')
})

test('a day can be named in one sentence and referred to by the next, or be in brackets', () => {
  const read = (text: string) => judge(text, '')
  assert.equal(read('Our new director starts on 1 April. Write to me then.').deferredUntil, '2026-04-01')
  assert.equal(read('I am out of the office until Monday (23 Feb).').returnDate, '2026-02-23')
  assert.equal(read('Je suis absent du lundi 9 au vendredi 20 février.').returnDate, '2026-02-20')
})

test('a month of a past event is not a month to write again', () => {
  const deferred = (text: string) => judge(text).deferredUntil
  const done = [
    'We went with another vendor in December. Thanks anyway.',
    'Wir haben uns im Herbst für eine andere Lösung entschieden, kein Bedarf.',
    'Nous avons signé avec un autre prestataire en septembre.',
    'Llegas tarde: firmamos con otros en diciembre.',
  ]
  assert.deepEqual(done.map(deferred), [undefined, undefined, undefined, undefined])
  assert.equal(deferred('We signed with somebody else in January. Ask us again in December.'), '2026-12-01')
  assert.equal(deferred('A mediados de mayo sabré algo. Si te parece, retomamos entonces.'), '2026-05-15')
})

test('a request for a later message, or for time, defers the lead', () => {
  const later = {
    'Bad signal here, write me again next week.': '2026-02-16',
    'Ich sitze im Zug, bitte nächste Woche noch einmal schicken.': '2026-02-16',
    'Je capte mal ici, réécrivez-moi la semaine prochaine.': '2026-02-16',
    'Dame dos semanas y luego insiste.': '2026-02-24',
    "Please don't contact me again until June.": '2026-06-01',
    "Ne m'écrivez plus avant mars, nous sommes en inventaire.": '2026-03-01',
    'Bitte melden Sie sich nicht mehr vor Ende Mai.': '2026-05-31',
    'No me escriba más hasta después del verano.': '2026-09-01',
    "Please don't contact me again until after Easter.": '2026-04-07',
  }
  assert.deepEqual(Object.fromEntries(Object.keys(later).map(text => [text, judge(text).deferredUntil])), later)
})

test('canceling a call is neither interest nor an automatic reply', () => {
  const calledOff = [
    'Please cancel our call on Friday, I am ill.',
    'Bitte streichen Sie den Termin am Freitag, ich bin krank.',
    'Annulez la réunion de vendredi, je suis malade.',
    'Cancela la reunión del viernes, por favor, me ha surgido algo.',
  ]
  assert.deepEqual(calledOff.map(kindOf), ['neutral', 'neutral', 'neutral', 'neutral'])
})
