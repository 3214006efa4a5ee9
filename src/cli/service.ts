import { Overture } from '../../packages/sdk/src/client.ts'
import { Http, type Options } from '../../packages/sdk/src/http.ts'
import { type Connection, findConnection } from './connection.ts'
import type { Flags } from './flags.ts'
import type { Shell } from './shell.ts'

const optionsOf = ({ signal }: Shell, { url, token, workspaceId }: Connection, more: Partial<Options> = {}): Options => ({
  baseUrl: url,
  token,
  workspaceId,
  // A person waits, so a service that is down is reported soon.
  retries: 2,
  // Ctrl-C ends every request, and the pauses between them.
  signal,
  headers: { 'user-agent': 'overture-cli' },
  ...more,
})

/** The client of the service that the user is signed in to. */
export const openService = async (shell: Shell, flags: Flags, more?: Partial<Options>): Promise<Overture> =>
  new Overture(optionsOf(shell, await findConnection(shell, flags), more))

export const clientOf = (shell: Shell, connection: Connection): Overture => new Overture(optionsOf(shell, connection))

/** Requests that are made from the OpenAPI document. */
export const httpOf = (shell: Shell, connection: Connection): Http => new Http(optionsOf(shell, connection))
