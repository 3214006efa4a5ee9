import type { DiscoveredSettings } from '@overture/sdk'
import { Badge } from '@/ui/badge.tsx'
import { InfoIcon } from '@/ui/icons.tsx'

const SOURCES: Record<DiscoveredSettings['source'], string> = {
  preset: 'known by its domain',
  mx: 'known by its mail server',
  autoconfig: 'published by the domain',
  srv: 'from the service records of the domain',
  guess: 'guessed from the usual names',
}

const SIGN_IN: Record<DiscoveredSettings['signIn'][number], string> = {
  password: 'the password of the account',
  app_password: 'an app password, made in the settings of the hoster',
  oauth: 'the consent of its owner',
}

const serverWords = ({ host, port, secure }: DiscoveredSettings['settings']['smtp']): string =>
  `${host}:${port} ${secure ? 'TLS' : 'STARTTLS'}`

/** What was found about an address, and what has to be done at the hoster first. */
export function Found({
  candidates,
  chosen,
  onChoose,
}: {
  candidates: readonly DiscoveredSettings[]
  chosen: number
  onChoose: (at: number) => void
}) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">What was found</legend>
      {candidates.map((candidate, at) => (
        <label
          key={`${serverWords(candidate.settings.smtp)}${candidate.source}`}
          className="flex gap-3 rounded-lg border border-line-strong px-3 py-2.5 has-checked:border-accent has-checked:bg-accent-wash/40"
        >
          <input type="radio" name="candidate" checked={at === chosen} onChange={() => onChoose(at)} className="mt-1 accent-accent" />
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-center gap-2">
              <span className="font-medium">{candidate.hoster ?? candidate.settings.smtp.host}</span>
              <Badge tone={candidate.works ? 'good' : 'warn'}>{candidate.works ? 'Answers' : 'Does not answer'}</Badge>
              <span className="text-faint text-xs">{SOURCES[candidate.source]}</span>
            </span>
            <span className="mt-0.5 block break-words text-faint text-xs">
              Sends by {serverWords(candidate.settings.smtp)}
              {candidate.settings.imap ? `, reads by ${serverWords(candidate.settings.imap)}` : ', reads nothing'}
            </span>
            {candidate.problem ? <span className="mt-1 block break-words text-warn text-xs">{candidate.problem}</span> : null}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** What to do before the password is of any use. */
export function FirstDo({ candidate }: { candidate: DiscoveredSettings }) {
  const [best] = candidate.signIn
  if (!candidate.note && (!best || best === 'password')) return null
  return (
    <div className="flex gap-2.5 rounded-lg bg-info-wash px-3 py-2.5 text-info">
      <InfoIcon className="mt-0.5 shrink-0" />
      <p className="min-w-0 break-words">{candidate.note ?? `It takes ${SIGN_IN[best!]}.`}</p>
    </div>
  )
}
