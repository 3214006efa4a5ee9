import type { Campaign } from '@overture/sdk'
import { createContext, use } from 'react'

export const CampaignContext = createContext<Campaign | null>(null)

/** The campaign whose tab is looked at. The layout has loaded it, and events keep it up to date. */
export function useThisCampaign(): Campaign {
  const campaign = use(CampaignContext)
  if (!campaign) throw new Error('useThisCampaign is for the tabs of a campaign.')
  return campaign
}
