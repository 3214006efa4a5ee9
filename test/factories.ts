import type { Overture } from './harness.ts'

export const SCHEDULE = {
  daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
  timeWindow: { start: '09:00', end: '17:00' },
  timezone: 'Europe/Berlin',
}

export const STEPS = {
  steps: [
    { delayDays: 0, variants: [{ subject: 'Hello {{ firstName }}', body: 'Hi {{ firstName }}, a question.' }] },
    { delayDays: 3, variants: [{ subject: null, body: 'Hi {{ firstName }}, again.' }] },
  ],
}

type Campaign = { id: string; updatedAt: string; providerId: string | null }

/** An empty draft. */
export async function makeCampaign(overture: Overture, body: Record<string, unknown>): Promise<Campaign> {
  const reply = await overture.client.post(`${overture.home}/campaigns`, body)
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body))
  return reply.body.data
}

export async function makeProvider(overture: Overture, body: Record<string, unknown> = {}): Promise<{ id: string }> {
  const reply = await overture.client.post(`${overture.home}/providers`, {
    kind: 'sandbox',
    name: 'Sandbox',
    fromName: 'Ada',
    fromEmail: 'ada@overture.example',
    postalAddress: '1 Example Street, Berlin',
    ...body,
  })
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body))
  return reply.body.data
}

export const importLeads = (overture: Overture, campaignId: string, leads: object[]) =>
  overture.client.operate('POST', `${overture.home}/campaigns/${campaignId}/leads/import`, { leads })

/** A draft with everything that activation asks for: two leads at the domain of its name. */
export async function makeReadyCampaign(
  overture: Overture,
  name: string,
  body: Record<string, unknown> = {},
  provider: Record<string, unknown> = {},
): Promise<Campaign> {
  const { client, home } = overture
  const mailbox = await makeProvider(overture, provider)
  const campaign = await makeCampaign(overture, { name, providerId: mailbox.id, schedule: SCHEDULE, ...body })
  const domain = `${name.toLowerCase().replaceAll(' ', '-')}.example`
  await client.operate('PUT', `${home}/campaigns/${campaign.id}/sequence`, STEPS, { 'if-match': campaign.updatedAt })
  await importLeads(overture, campaign.id, [
    { email: `ann@${domain}`, firstName: 'Ann', lastName: 'Archer' },
    { email: `bob@${domain}`, firstName: 'Bob' },
  ])
  return (await client.get(`${home}/campaigns/${campaign.id}`)).body.data
}
