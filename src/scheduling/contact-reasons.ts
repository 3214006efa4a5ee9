export const CONTACT_REASONS = ['contacted_elsewhere', 'in_other_campaign', 'company_replied', 'company_limit'] as const
export type ContactReason = (typeof CONTACT_REASONS)[number]

export const isContactReason = (reason: string | null): reason is ContactReason =>
  reason !== null && (CONTACT_REASONS as readonly string[]).includes(reason)
