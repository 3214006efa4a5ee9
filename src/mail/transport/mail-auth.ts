/** How a mailbox signs in, for sending and for reading. */
export interface MailAuth {
  user: string
  /** One of the two. The access token is used with XOAUTH2. */
  password?: string | undefined
  accessToken?: string | undefined
  /** To be called when the server refuses the access token. True when the next settings have another one: this one was kept from before. */
  renew?: (() => boolean) | undefined
}

/** The initial response of XOAUTH2. */
export function xoauth2(user: string, accessToken: string): string {
  return Buffer.from(`user=${user}\x01auth=Bearer ${accessToken}\x01\x01`).toString('base64')
}

/** A server's words, fit for a log line or a column. */
export function oneLineOf(message: string): string {
  return message.replace(/\s+/g, ' ').trim().slice(0, 500)
}
