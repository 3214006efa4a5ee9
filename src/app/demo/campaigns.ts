import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/client.ts'
import { exampleDomain, madeUpPerson } from '../../lib/made-up-person.ts'
import { DAY_MS } from '../../lib/time.ts'
import { changeStatus, createCampaign, getLockedCampaign } from '../../modules/campaigns/campaigns.ts'
import type { CampaignRow } from '../../modules/campaigns/queries.ts'
import { importLeads } from '../../modules/leads/import-leads.ts'
import { createProvider } from '../../modules/mailboxes/mailboxes.ts'
import { replaceSequence } from '../../modules/sequences/sequences.ts'
import { liveThrough } from './living.ts'

const SCHEDULE = {
  daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday')[],
  timeWindow: { start: '09:00', end: '17:00' },
  timezone: 'Europe/Berlin',
}

const STEPS = {
  steps: [
    {
      delayDays: 0,
      variants: [
        {
          subject: 'A question about {{ company }}',
          body: 'Hi {{ firstName }},\n\nhow does {{ company }} handle outreach today?\n\nBest\nAda',
        },
        {
          subject: '{{ firstName }}, two minutes?',
          body: 'Hi {{ firstName }},\n\ncould I show you something for {{ company }}?\n\nBest\nAda',
        },
      ],
    },
    {
      delayDays: 3,
      variants: [{ subject: null, body: 'Hi {{ firstName }},\n\njust bringing this back to the top of your inbox.\n\nAda' }],
    },
  ],
}

/** Synthetic people: nothing here can ever reach anybody. */
function people(count: number, offset: number) {
  return Array.from({ length: count }, (_, index) => {
    const n = index + offset
    const person = madeUpPerson(n)
    const email = `${person.firstName}.${person.lastName}.${n}@${exampleDomain(person.company)}`.toLowerCase()
    return { email, ...person }
  })
}

const LIVED_DAYS = 10
const LEADS_A_DAY = 12

export async function createDemoCampaigns(tx: Tx, ctx: Context, workspaceId: string): Promise<void> {
  const now = ctx.clock.now()
  const begin = new Date(now.getTime() - LIVED_DAYS * DAY_MS)
  const mailbox = await createProvider(
    tx,
    ctx.secrets,
    workspaceId,
    {
      kind: 'sandbox',
      name: 'Sandbox mailbox',
      fromName: 'Ada from Overture',
      fromEmail: 'ada@overture.example',
      postalAddress: 'Overture, 1 Example Street, 10115 Berlin',
      dailyCap: 500,
    },
    begin,
  )
  let offset = 0
  const make = async (name: string, leadCount: number, extra: { niche?: string } = {}, at = now): Promise<CampaignRow> => {
    const created = await createCampaign(
      tx,
      workspaceId,
      { name, providerId: mailbox.id, schedule: SCHEDULE, trackOpens: true, trackClicks: true, ...extra },
      at,
    )
    const { campaign } = await replaceSequence(tx, workspaceId, created.id, STEPS, created.updatedAt, at)
    await importLeads(tx, ctx.secrets, campaign, people(leadCount, offset), { leadListName: 'Demo list', source: 'api_import', now: at })
    offset += leadCount
    return getLockedCampaign(tx, workspaceId, campaign.id)
  }

  // The one that has lived: a few people were added every day, so that there is something behind it and something ahead.
  const lived = await changeStatus(tx, await make('Autumn outreach', LEADS_A_DAY, {}, begin), 'active', begin)
  for (let day = 0; day < LIVED_DAYS; day++) {
    const [from, until] = [day, day + 1].map(number => new Date(begin.getTime() + number * DAY_MS)) as [Date, Date]
    await liveThrough(tx, ctx, from, until)
    const campaign = await getLockedCampaign(tx, workspaceId, lived.id)
    await importLeads(tx, ctx.secrets, campaign, people(LEADS_A_DAY, offset), {
      leadListName: 'Demo list',
      source: 'api_import',
      now: until,
    })
    offset += LEADS_A_DAY
  }

  await createCampaign(tx, workspaceId, { name: 'Empty draft: what is missing?' }, now)
  await make('Draft, ready to activate', 25, { niche: 'logistics' })
  const paused = await changeStatus(tx, await make('Paused for review', 15), 'active', now)
  await changeStatus(tx, paused, 'paused', now)
  const old = await changeStatus(tx, await make('Last spring', 10), 'active', now)
  await changeStatus(tx, await changeStatus(tx, old, 'completed', now), 'archived', now)
}
