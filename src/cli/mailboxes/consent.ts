import type { Overture } from '../../../packages/sdk/src/client.ts'
import { sleep } from '../../../packages/sdk/src/http.ts'
import type { Consent } from '../../../packages/sdk/src/types.gen.ts'
import { CommandFailed, EXIT } from '../../lib/command-failure.ts'
import { harmless } from '../output.ts'
import type { Shell } from '../shell.ts'
import type { Issuer } from './servers.ts'

const LOOK_MS = 2000

interface Wish {
  issuer: Issuer
  email: string
}

/** Lets the owner of the mailbox give consent in a browser on any device, and returns the id of the mailbox. */
export async function askForConsent(service: Overture, wish: Wish, shell: Shell): Promise<string> {
  const { issuer, email } = wish
  // Google has no device codes for mail.
  const begun = issuer === 'microsoft' ? await service.consents.createForDevice(wish) : await service.consents.create(wish)
  if (begun.device) shell.warn(`Open ${harmless(begun.device.verificationUri)} and type in ${harmless(begun.device.userCode)}`)
  else shell.warn(`Open this in a browser, and sign in as ${email}:\n  ${harmless(begun.authorizationUrl ?? '')}`)
  shell.warn('Waiting until the consent is given ...')
  const ended = await untilEnded(service, begun, shell.signal)
  if (ended.status !== 'granted' || !ended.providerId) {
    const message =
      ended.status === 'expired' ? 'No consent was given in time.' : `The consent was refused: ${ended.reason ?? 'no reason was given'}`
    throw new CommandFailed(EXIT.denied, 'consent_refused', message, `overture mailbox add ${email}`)
  }
  shell.warn(`${harmless(ended.account ?? email)} has consented.`)
  return ended.providerId
}

async function untilEnded(service: Overture, { id, device }: Consent, signal: AbortSignal): Promise<Consent> {
  for (;;) {
    await sleep(device ? device.intervalSeconds * 1000 : LOOK_MS, signal)
    const consent = device ? await service.consents.poll(id) : await service.consents.get(id)
    if (consent.status !== 'open') return consent
  }
}
