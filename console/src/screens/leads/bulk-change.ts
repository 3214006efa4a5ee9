import type { LeadBulk } from '@overture/sdk'

/** What is done to all chosen leads at once. */
export type BulkChange = Pick<LeadBulk, 'action' | 'status' | 'targetCampaignId'>
