import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { buildMessage } from '../../mail/compose/mime.ts'
import { MailReader } from '../../mail/reading/mail-reader.ts'
import { readMessage } from '../../mail/reading/read-message.ts'
import { PERSONA_ANSWERS } from '../../modules/sandbox/persona-answers.ts'
import { DEMO_THREAD } from './demo-reader.ts'

const reader = new MailReader(DEMO_THREAD)
after(() => reader.stop())
const at = new Date('2026-02-10T10:00:00Z')

test('the demo reads each answer of the sandbox as the reader does that has learnt from examples', async () => {
  for (const text of Object.values(PERSONA_ANSWERS).flat()) {
    const raw = buildMessage({
      from: { address: 'mia.berg.1@lumen-labs.example' },
      to: { address: 'ada@overture.example' },
      subject: 'Re: A question about Lumen Labs',
      date: at,
      messageId: '<r1@sandbox.invalid>',
      text: `${text}\n\nOn Tue, 10 Feb 2026 09:00:00 +0000, <ada@overture.example> wrote:\n> Hi Mia,\n> how does it go?\n`,
    })
    assert.deepEqual(await reader.read(raw, at), await readMessage(raw, at), text)
  }
})
