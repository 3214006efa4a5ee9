export const spelledOut = (code: string): string =>
  code
    .replaceAll(/[._]/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()

export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** Fields whose names differ from their labels in the forms. */
const FIELDS: Record<string, string> = {
  providerId: 'mailbox',
  rotationProviderIds: 'rotation mailboxes',
  trackOpens: 'open tracking',
  trackClicks: 'click tracking',
  unsubscribe: 'unsubscribe method',
  optOutText: 'footer text',
  contactRules: 'contact rules',
  timezone: 'time zone',
  timeWindow: 'sending window',
  daysOfWeek: 'sending days',
  fromName: 'sender name',
  replyTo: 'reply-to address',
  dailyCap: 'daily limit',
  minGapSeconds: 'delay between emails',
  startPerDay: 'emails on the first day',
  increasePerDay: 'daily increase',
  maxPerDomainPerHour: 'emails per domain per hour',
}

/** Names of changed fields: "open tracking, mailbox". */
export const fieldWords = (names: readonly string[]): string => names.map(name => FIELDS[name] ?? spelledOut(name)).join(', ')
