import type { Campaign, Overture } from '@overture/sdk'
import { ownZone } from '@/ui/format.ts'

const FIRST = ['Mia', 'Noah', 'Lena', 'Omar', 'Ines', 'Jonas', 'Sofia', 'Elias']
const LAST = ['Berg', 'Costa', 'Dietrich', 'Eriksen', 'Fontaine']
const COMPANIES = ['Lumen Labs', 'Northwind Foods', 'Harbor Logistics', 'Quartz Analytics', 'Blue Fjord', 'Atlas Clinics', 'Verde Energy']

/** Made-up people at domains that are reserved for examples. The sandbox decides who opens, answers, is away or stays silent. */
const people = FIRST.flatMap((firstName, first) =>
  LAST.map((lastName, last) => {
    const company = COMPANIES[(first * LAST.length + last) % COMPANIES.length]!
    const email = `${firstName}.${lastName}@${company.replace(' ', '-')}.example`.toLowerCase()
    return { email, firstName, lastName, company, jobTitle: 'Head of Operations' }
  }),
)

const STEPS = [
  {
    delayDays: 0,
    variants: [
      {
        subject: 'A question about {{ company }}',
        body: 'Hi {{ firstName }},\n\nhow does {{ company }} find new customers today?\n\nI ask because https://product.example/tour might help.\n\nBest\nAda',
      },
    ],
  },
  { delayDays: 3, variants: [{ body: 'Hi {{ firstName }},\n\njust bringing this back to the top of your inbox.\n\nAda' }] },
  {
    delayDays: 4,
    variants: [{ body: 'Hi {{ firstName }},\n\nI will not bother you again. If it becomes a topic, you know where I am.\n\nAda' }],
  },
]

/** A campaign with everything that sending needs, as a draft: the last step is left to the user. */
export async function createExample(api: Overture, providerId: string, { idempotencyKey }: { idempotencyKey: string }): Promise<Campaign> {
  const campaign = await api.campaigns.create(
    {
      ...{ name: 'Example: founders', providerId, trackOpens: true, trackClicks: true },
      schedule: {
        daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
        timeWindow: { start: '09:00', end: '17:00' },
        timezone: ownZone(),
      },
    },
    { idempotencyKey },
  )
  await api.sequences
    .replace(campaign.id, { steps: STEPS }, { ifMatch: campaign.updatedAt, idempotencyKey: `${idempotencyKey}-sequence` })
    .wait()
  await api.leads
    .import(campaign.id, { leads: people, leadListName: 'Made-up people' }, { idempotencyKey: `${idempotencyKey}-leads` })
    .wait()
  return campaign
}
