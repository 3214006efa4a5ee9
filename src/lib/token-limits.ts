/** What a token may ask for at most, in a day (UTC). What is left out is not limited. */
export interface TokenLimits {
  /** Leads that are added to campaigns or bought. */
  leadsPerDay?: number
  creditsPerDay?: number
  /** E-mails that can follow from what was asked for. */
  mailsPerDay?: number
  /** Nothing may leave from a real mailbox. */
  sandboxOnly?: boolean
}
