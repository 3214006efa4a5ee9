import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOf } from '../corpus/corpus.ts'

const lostOf = (texts: string[]) => texts.filter(text => kindOf(text) !== 'opt_out')
const madeUpOf = (texts: string[]) => texts.filter(text => kindOf(text) === 'opt_out')

test('refusing one channel, person or hour is not an opt-out if another is offered', () => {
  assert.deepEqual(
    madeUpOf([
      'Do not call or email my assistant, contact me directly',
      'Do not call or email our reception, use my mobile',
      'Do not call or email accounting, I approve invoices',
      'Do not call or email the office, I work from home now',
      "Do not call or email Peter, he left. I'm your contact now",
      "Don't email or call after 6pm",
      "Don't call or email me at night",
      "Don't call me or write to me at this number, use my office line",
      'Rufen Sie nicht an und schreiben Sie nicht mehr an die Zentrale, sondern an mich',
      'Schreiben Sie mir bitte nicht abends.',
      'No me escriba por la noche.',
    ]),
    [],
  )
  assert.deepEqual(
    lostOf([
      'Do not call or email my team.',
      'Do not call or email anyone here, I approve nothing of the sort.',
      'Do not call or email me, contact my lawyer.',
      'Do not call or email our office, he left and we want no more mails.',
      "Don't email me at night, at noon or ever.",
      'Do not contact me after work or at any other time.',
      "Please don't email me because I get 100 mails at night.",
      "Don't call me or write to me at this number.",
      'Rufen Sie uns nicht an und schreiben Sie uns nicht, sondern lassen Sie uns in Ruhe.',
      'No me llame ni me escriba más, tampoco por la noche.',
    ]),
    [],
  )
})

test('being glad of no more mail, or demanding more than an opt-out, is an opt-out', () => {
  assert.deepEqual(
    lostOf([
      "Your mails don't reach me any more and I want to keep it that way",
      'Your mails no longer reach us because I blocked them',
      'Ihre Mails kommen nicht mehr an, und das ist gut so',
      "Vos mails n'arrivent plus, tant mieux.",
      'Sus correos ya no me llegan, mejor así.',
      'My filter blocked you for a reason',
      "My filter blocked you and I'd like to keep it so",
      'Do not treat this as an opt-out, we want everything deleted',
      'Do not treat this as an opt-out but as a complaint',
      "Don't consider this an opt-out, consider it goodbye",
      'Delete the draft contract and our bank details with it.',
    ]),
    [],
  )
  assert.deepEqual(
    madeUpOf([
      "Your mails don't reach me any more and I don't want to keep it that way",
      "Your mails don't reach me any more because I blocked them by mistake, please resend",
      "My filter blocked you for a reason I don't understand, please send it again",
      'Ihre Mails kommen nicht mehr an, das ist nicht gut so',
      'Sus correos ya no me llegan, mejor así: ana@correo.example',
      'Do not treat this as an opt-out or a complaint, I only ask where you found me.',
      'Do not treat this as an opt-out, we want the old draft deleted and a new one sent.',
      'Delete the old contract and send our new bank details with it.',
    ]),
    [],
  )
})

test('"preferably never" is an opt-out, and a better time is not', () => {
  assert.deepEqual(
    lostOf([
      'Schreiben Sie im Mai oder besser nie wieder',
      'Write in May or, better yet, not at all',
      'Pas avant juin, de préférence jamais',
      'Lieber nicht vor Juni, am liebsten nie',
      'Do not write before May. Better still, never.',
      'Schreiben Sie mir bitte nicht vor Mai. Am besten gar nicht mehr.',
      'No me escriba antes de mayo, o mejor nunca',
    ]),
    [],
  )
  assert.deepEqual(
    madeUpOf([
      'Write in May, better late than never.',
      'Write in May or, better yet, in June.',
      'Schreiben Sie im Mai, aber besser nie montags.',
      'Pas avant juin, de préférence en juillet.',
      'Lieber nicht vor Juni, am liebsten im Juli.',
      'Do not write before May. Better still, in June.',
      'No me escriba antes de mayo, o mejor en junio.',
    ]),
    [],
  )
})

test('a denied opt-out, or a request for another language or to resubscribe, is respected', () => {
  assert.deepEqual(
    madeUpOf([
      'This is no opt-out.',
      "Don't mark me as opted out, I like your mails",
      'No considere esto una baja',
      'Consider this an opt-in!',
      'Can your software remove us from spam lists?',
      'Could you stop writing in English?',
      'You took me off the list last month, could you add me back?',
    ]),
    [],
  )
  assert.deepEqual(
    lostOf([
      'This is not an opt-out, this is a formal complaint.',
      'Do not mark me as opted out by mistake again, delete me for good.',
      'Considere esto una baja.',
      'Consider this an opt-out!',
      'Can your software remove me from your list?',
      'Could you stop writing to me in English or any language?',
      'You took me off the list last month, could you do it again?',
    ]),
    [],
  )
})
