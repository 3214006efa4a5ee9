/** Why a lead waits, in few words. The timeline of the lead says it in a sentence. */
const WORDS: Record<string, string> = {
  missing_variable: 'a variable is missing',
  template: 'the template cannot be written',
  suppressed: 'the address is suppressed',
  waiting_window: 'outside of the sending window',
  campaign_not_active: 'the campaign does not run',
  campaign_not_started: 'the campaign has not begun',
  campaign_expired: 'the campaign is over',
  due_after_end: 'due after the end of the campaign',
  mailbox_cap: 'the mailbox has sent enough today',
  mailbox_gap: 'the pause between two messages',
  mailbox_disconnected: 'the mailbox is disconnected',
  no_mailbox: 'there is no mailbox',
  domain_throttle: 'enough for this domain for now',
  contacted_elsewhere: 'contacted by another campaign',
  in_other_campaign: 'in another active campaign',
  company_replied: 'somebody at the company has answered',
  recipient_away: 'an automatic reply said when they are back',
  company_limit: 'enough people of this company at once',
}

export const holdWords = (reason: string): string => WORDS[reason] ?? reason.replaceAll('_', ' ')
