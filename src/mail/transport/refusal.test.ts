import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPolicyRefusal, mayBeOfText, namesLimit, namesSender, refusesToRelay } from './refusal.ts'

const from = 'ada@sender.example'

test('a response that names the sender, its sign-in, its limits or its address concerns the sender', () => {
  for (const [status, text] of [
    ['5.7.1', '553 5.7.1 <ada@sender.example>: Sender address rejected: not owned by user bob'],
    ['5.4.5', '550 5.4.5 Daily user sending limit exceeded'],
    ['5.7.26', '550 5.7.26 This mail is unauthenticated'],
    ['5.7.8', '535 5.7.8 Authentication credentials invalid'],
    ['5.1.8', '550 5.1.8 Access denied, bad outbound sender'],
    ['5.7.1', '554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.spamhaus.org'],
    ['5.7.1', '550 5.7.1 Message rejected because the SPF check failed'],
    [null, '550 Your IP address is on our blacklist'],
    [null, '550 outgoing message quota exceeded'],
    ['5.7.606', '550 5.7.606 Access denied, banned sending IP [192.0.2.7]'],
    ['5.7.705', '550 5.7.705 Access denied, tenant has exceeded threshold'],
    ['5.7.0', '530 5.7.0 Authentication required'],
    ['5.7.30', '550 5.7.30 Basic authentication is not supported for Client Submission.'],
    ['5.7.32', '550 5.7.32 The From header is not aligned with the authenticated organization'],
  ] as const)
    assert.equal(namesSender({ status, text, from }), true, text)
})

test('a response about one recipient does not concern the sender, whatever rule it quotes', () => {
  for (const [status, text] of [
    ['5.7.1', '550 5.7.1 Delivery not authorized, message refused'],
    ['5.7.1', '554 5.7.1 <bob@people.example>: Recipient address rejected: Access denied'],
    ['5.7.1', '550 5.7.1 RESOLVER.RST.AuthRequired; only members of this group may write to it'],
    ['5.7.133', '550 5.7.133 Sender not in the list of allowed senders of this group'],
    ['5.7.1', '550 5.7.1 RESOLVER.RST.AuthRequired; authentication required'],
    ['5.7.134', '550 5.7.134 RESOLVER.RST.SenderNotAuthenticatedForMailbox; authentication required; the sender was not authenticated'],
    ['5.7.1', '550 5.7.1 Delivery restriction check failed because the sender was not authenticated when sending to this group'],
    ['5.7.1', '550 5.7.1 This mailbox only accepts mail from people inside the organization'],
    ['5.2.2', '552 5.2.2 The mailbox is over its quota'],
    ['5.2.2', '552 5.2.2 Over quota: nothing was stored of what you sent'],
    ['5.5.0', '550 5.5.0 Requested action not taken: mailbox unavailable'],
    ['5.7.1', '554 5.7.1 looks like spam'],
  ] as const)
    assert.equal(namesSender({ status, text, from }), false, text)
})

test('a policy of the server is distinguished from a dead address', () => {
  assert.deepEqual(
    [isPolicyRefusal(550, '5.7.1'), isPolicyRefusal(554, null), isPolicyRefusal(550, '5.1.1'), isPolicyRefusal(550, null)],
    [true, true, false, false],
  )
})

test('a refusal to relay our mail is distinguished from a refusal of one recipient', () => {
  for (const text of [
    '554 5.7.1 <bob@people.example>: Relay access denied',
    '550 relay not permitted',
    '550 5.7.1 Unable to relay for bob@people.example',
    '550 5.7.1 <bob@people.example>... Relaying denied',
    "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
  ])
    assert.equal(refusesToRelay({ text }), true, text)
  assert.equal(refusesToRelay({ text: '554 5.7.1 <relay@people.example>: Recipient address rejected: Access denied' }), false)
})

test('a sending limit is distinguished from other responses about the sender', () => {
  assert.equal(namesLimit({ text: '550 5.4.5 Daily user sending limit exceeded' }), true)
  assert.equal(namesLimit({ text: '550 5.7.26 This mail is unauthenticated' }), false)
})

test('a refusal after the recipient was accepted may be about the text, unless it speaks of the recipient', () => {
  const to = 'bob@people.example'
  for (const [status, text] of [
    ['5.7.1', '550 5.7.1 Message content rejected'],
    ['5.7.1', '550 5.7.1 no such words here, please'],
    ['5.7.1', '550 5.7.1 Rejected after complaints of our users'],
    ['5.7.0', '554 5.7.0 Reject, id=12345-01 - spam'],
    ['5.6.0', '550 5.6.0 Invalid header found'],
    ['5.7.1', '550 5.7.1 Command rejected'],
    [null, '554 Transaction failed: policy restrictions'],
    [null, '550 Administrative prohibition'],
  ] as const)
    assert.equal(mayBeOfText({ status, text, to }), true, text)
  for (const [status, text] of [
    ['5.7.1', '550 5.7.1 <Bob@people.example>: Recipient address rejected: Access denied'],
    ['5.7.1', '554 5.7.1 bob@people.example takes no mail'],
    ['5.7.133', '550 5.7.133 Not allowed'],
    ['5.1.1', '550 5.1.1 unknown'],
    ['5.2.2', '552 5.2.2 full'],
    [null, '550 User unknown'],
    [null, '550 No such person here'],
    [null, '550 The account that you tried to reach does not exist'],
    [null, '552 Mailbox full'],
  ] as const)
    assert.equal(mayBeOfText({ status, text, to }), false, text)
})
