import type { Overture } from '../../../packages/sdk/src/client.ts'
import type { Campaign } from '../../../packages/sdk/src/types.gen.ts'
import { wrongUsage } from '../../lib/command-failure.ts'
import type { Call } from '../command.ts'
import { openService } from '../connection.ts'
import { escaped, isObeyed, printJson } from '../output.ts'
import { CAPS, type Rehearsal } from '../rehearsal/section.ts'
import type { CampaignFile } from './file.ts'
import { fileSchema } from './file.ts'
import { listMailboxes, mailboxName, namedCampaign, readRunning } from './running.ts'

/** `overture pull CAMPAIGN > campaign.yaml`, by the id or the name. */
export async function pull({ positionals, flags, shell }: Call): Promise<void> {
  const [named] = positionals
  if (named === undefined) throw wrongUsage('Specify a campaign by its id or name.', 'overture api campaigns.list')
  const service = await openService(shell, flags)
  const campaign = await namedCampaign(service, named)
  const file = await readRunning(service, campaign, await listMailboxes(service))
  const written = { ...withoutNothing(file), ...(flags.isOn('rehearsal') ? { rehearsal: await rehearsalOf(service, campaign) } : {}) }
  if (flags.isOn('json')) return printJson(shell, written)
  // Other tools may read YAML 1.1, where `no` is false and 09:00 is a number: such texts are quoted.
  const { Document, visit } = await import('yaml')
  const document = new Document(written, { compat: 'yaml-1.1' })
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && isObeyed(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  shell.print(
    `# overture plan THIS-FILE shows the changes, overture apply THIS-FILE makes them.\n${escaped(document.toString({ lineWidth: 0 })).trimEnd()}`,
  )
}

/** The limits of the campaign's mailboxes, so that a rehearsal has the same limits without the service. */
async function rehearsalOf(service: Overture, { providerId, rotationProviderIds }: Campaign): Promise<Rehearsal> {
  const known = await listMailboxes(service)
  const ids = [providerId, ...rotationProviderIds].filter(id => id !== null)
  const mailboxes = await Promise.all(
    ids.map(async id => {
      const provider = await service.providers.get(id)
      return [mailboxName(id, known), Object.fromEntries(CAPS.map(cap => [cap, provider[cap]]))] as const
    }),
  )
  return { mailboxes: Object.fromEntries(mailboxes), expect: { repliedLeadsGetNothingMore: true, noSendOutsideWindow: true } }
}

/** Leaves values that are not set out of the file. */
function withoutNothing(file: CampaignFile): CampaignFile {
  const set = (record: object) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== undefined))
  const sections = Object.entries(file).map(([name, value]) => [name, Array.isArray(value) ? value : set(value)] as const)
  const isSaid = ([, value]: readonly [string, object]) => Object.keys(value).length > 0
  const kept = Object.fromEntries(sections.filter(isSaid)) as unknown as CampaignFile
  if (!kept.sequence) return kept
  return {
    ...kept,
    sequence: kept.sequence.map(step => ({ ...step, variants: step.variants.map(variant => set(variant) as typeof variant) })),
  }
}

/** `overture schema > campaign.schema.json` */
export async function printSchema({ shell }: Call): Promise<void> {
  printJson(shell, fileSchema())
}
