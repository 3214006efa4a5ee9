/** How a mailbox signs in, for sending and for reading. */
export interface MailAuth {
  user: string
  /** One of the two. The access token is used with XOAUTH2. */
  password?: string | undefined
  accessToken?: string | undefined
  /** Called when the server refuses the access token. True when the token was an old one, and the next settings have a new one. */
  renew?: (() => boolean) | undefined
}

/** The initial response of XOAUTH2. */
export const xoauth2 = (user: string, accessToken: string): string =>
  Buffer.from(`user=${user}\x01auth=Bearer ${accessToken}\x01\x01`).toString('base64')

/** The words of a server, made safe for a log line or a column. */
export const oneLineOf = (message: string): string => message.replace(/\s+/g, ' ').trim().slice(0, 500)
