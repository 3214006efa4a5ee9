import type { SecretBox } from '../../lib/secret-box.ts'
import { forgetInput } from '../../operations/erase.ts'
import type { SealedAddress } from './schema.ts'

const SEAL = 'erasure'
const placeOf = (workspaceId: string): string => `workspaces/${workspaceId}/erasure`

/** An operation is kept for months. It contains the address only until the erasure is done, and encrypted. */
export const sealAddress = (secrets: SecretBox, workspaceId: string, email: string): { sealed: string } => ({
  sealed: secrets.seal(SEAL, email, placeOf(workspaceId)).toString('base64'),
})

export const openAddress = (secrets: SecretBox, workspaceId: string, input: SealedAddress): string =>
  secrets.open(SEAL, Buffer.from(input.sealed, 'base64'), placeOf(workspaceId))

export const forgetAddress = forgetInput
