import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { InboundMessage } from '../inbound/inbound.ts'
import { classifyReply } from './classify.ts'

const BUYERS = readFileSync(new URL('./testing/buyers.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))

const tuesday = new Date('2026-02-10T10:00:00Z')
const kindOf = (text: string) =>
  classifyReply(
    { bounce: null, report: null, subject: 'Re: Hi', text, from: null, date: null, headers: new Map() } as unknown as InboundMessage,
    tuesday,
  ).kind

test('a buyer who uses the words of an opt-out is not suppressed', () => {
  assert.deepEqual(
    BUYERS.filter(text => kindOf(text) === 'opt_out'),
    [],
  )
})

test('who is sorry for a long silence and asks for a talk is interested', () => {
  assert.equal(kindOf('Entschuldigen Sie die Funkstille, das war viel. Können wir nächste Woche sprechen?'), 'positive')
})

test('what is bound to its object is still an opt-out', () => {
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
