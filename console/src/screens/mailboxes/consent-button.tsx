import type { DiscoveredSettings, NewConsent, Provider } from '@overture/sdk'
import { useEffect } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useAttempt } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { ErrorNote } from '@/ui/states.tsx'

type Issuer = NewConsent['issuer']

const NAMES: Record<Issuer, string> = { google: 'Google', microsoft: 'Microsoft' }

/** The issuer that signs in the owner of the mailbox. Null if only a password works. */
export function issuerOf({ signIn, settings }: Pick<DiscoveredSettings, 'signIn' | 'settings'>): Issuer | null {
  if (!signIn.includes('oauth')) return null
  return /(?:^|\.)(?:gmail|google(?:mail)?)\.com$/.test(settings.smtp.host) ? 'google' : 'microsoft'
}

export const consentWords = ({ issuer, account }: NonNullable<Provider['consent']>): string =>
  `with the ${NAMES[issuer]} account ${account}`

/** Opens the sign-in page of the issuer, which leads back to the mailbox. */
export function ConsentButton({ consent, words }: { consent: NewConsent; words?: string }) {
  const { api } = useWorkspace()
  const { isPending, error, attempt, stop } = useAttempt()
  // The page is unchanged if the user returns with the back button of the browser.
  useEffect(() => {
    addEventListener('pageshow', stop)
    return () => removeEventListener('pageshow', stop)
  })
  const begin = () =>
    attempt(async () => {
      const { authorizationUrl } = await api.consents.create(consent)
      if (!authorizationUrl) throw new Error('The sign-in page is missing. Try again, or check the sign-in settings of the server.')
      window.location.assign(authorizationUrl)
    })
  return (
    <div className="flex flex-col items-start gap-3">
      <Button variant="primary" pending={isPending} onClick={() => void begin()}>
        {words ?? `Sign in with ${NAMES[consent.issuer]}`}
      </Button>
      <ErrorNote error={error} />
    </div>
  )
}
