import type { Overture } from '../../../packages/sdk/src/client.ts'
import type { Campaign } from '../../../packages/sdk/src/types.gen.ts'
import { CommandFailed, EXIT } from '../../lib/command-failure.ts'
import { isUuid } from '../../lib/ids.ts'
import { findCampaign } from './running.ts'

/** The campaign that a person means: by its id or its name. */
export async function namedCampaign(service: Overture, named: string): Promise<Campaign> {
  const campaign = await findCampaign(
    service,
    isUuid(named) ? { id: named, name: '' } : { name: named },
    'overture api campaigns.list   # name it by its id',
  )
  if (!campaign) throw new CommandFailed(EXIT.notFound, 'not_found', `There is no campaign "${named}".`, 'overture api campaigns.list')
  return campaign
}
