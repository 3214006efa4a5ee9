import { type ImapSettings, leave, signInToInbox } from '../../src/mail/transport/imap.ts'
import { lookIntoFolders } from '../../src/mail/transport/imap-watch.ts'

/** Both halves of trying an inbox, as a verification goes through them. */
export async function checkMailboxAccess(settings: ImapSettings): Promise<string> {
  const { said, client } = await signInToInbox(settings)
  if (!client) return said
  try {
    return `${said}, ${await lookIntoFolders(client, settings)}`
  } finally {
    await leave(client)
  }
}
