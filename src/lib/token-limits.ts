/** The most that a token may use in a day (UTC). A missing field is no limit. */
export interface TokenLimits {
  /** Leads that are added to campaigns or bought. */
  leadsPerDay?: number
  creditsPerDay?: number
  /** Emails that its requests can cause. */
  mailsPerDay?: number
  /** Whether its requests may only use sandbox mailboxes. */
  sandboxOnly?: boolean
}
