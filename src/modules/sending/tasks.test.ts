import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SendingMailbox } from '../mailboxes/queries.ts'
import type { ClaimedSend } from './claim.ts'
import type { DeliveredSend } from './deliver.ts'
import type { PreparedSend } from './intend.ts'
import { MailboxSends } from './tasks.ts'

test('answers are sent before waiting campaign messages, in order', async () => {
  const sent: string[] = []
  // A gap makes it one message at a time.
  const mailbox = { kind: 'smtp', minGapSeconds: 60, updatedAt: new Date() } as SendingMailbox
  const sends = new MailboxSends(mailbox, new Set(), () => undefined as never, {
    intend: async sends => sends as PreparedSend[],
    deliver: async (_, send) => {
      sent.push(send.id)
      return { ...send, judged: { mailbox: 'works' } } as unknown as DeliveredSend
    },
    record: async () => {},
  })
  const add = (kind: ClaimedSend['kind'], ...ids: string[]) => ids.map(id => sends.add({ kind, id } as ClaimedSend))
  await Promise.all([...add('step', 'step 1', 'step 2'), ...add('answer', 'answer 1', 'answer 2'), ...add('step', 'step 3')])
  assert.deepEqual(sent.filter(id => id.startsWith('answer')).concat(sent.slice(-2)), ['answer 1', 'answer 2', 'step 2', 'step 3'])
})
