import type { SendingStatus } from '@overture/sdk'

export type SendingReason = SendingStatus['reasons'][number]
export type Kind = 'action' | 'time' | 'done'

/** What it takes until such a message leaves. A code that is new to this console waits for time, as most do. */
const KINDS: Record<string, Kind> = {
  company_replied: 'action',
  campaign_not_active: 'action',
  no_mailbox: 'action',
  mailbox_disconnected: 'action',
  missing_variable: 'action',
  campaign_expired: 'action',
  due_after_end: 'action',
  suppressed: 'done',
  lead_final: 'done',
  sequence_completed: 'done',
}

export const ORDER: readonly Kind[] = ['action', 'time', 'done']

export const kindOf = (reason: string): Kind => KINDS[reason] ?? 'time'

export const KIND_WORDS: Record<Kind, { title: string; description: string; short: string; bar: string }> = {
  action: { title: 'Waiting for you', short: 'wait for you', description: 'They do not leave before somebody acts.', bar: 'bg-warn' },
  time: {
    title: 'Waiting',
    description: 'They leave by themselves. You can lift what holds them back.',
    bar: 'bg-accent',
    short: 'wait',
  },
  done: {
    title: 'Finished',
    description: 'Nothing more is sent to them, and there is nothing to do.',
    bar: 'bg-line-strong',
    short: 'are finished',
  },
}

export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** The sentences of the service begin with the number, which stands beside them here. */
export const withoutCount = ({ text, count }: SendingReason): string => sentence(text.replace(new RegExp(`^${count} `), ''))

/** What somebody has to do first, then what waits, and at the end who needs nothing more. */
export const inOrder = (reasons: readonly SendingReason[]): SendingReason[] =>
  ORDER.flatMap(kind => reasons.filter(({ reason }) => kindOf(reason) === kind))
