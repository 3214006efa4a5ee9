import type { Verification } from '@overture/sdk'
import { cx } from '@/ui/cx.ts'
import { AlertIcon, CheckIcon } from '@/ui/icons.tsx'
import { Spinner } from '@/ui/spinner.tsx'

type Stage = Verification['stages'][number]['stage']

const WORDS: Record<Stage, string> = {
  dns: 'Find the outgoing server',
  tcp: 'Reach it',
  tls: 'Encrypt the connection',
  auth: 'Sign in',
  test_message: 'Send a test message to itself',
  imap: 'Open the inbox',
}
const ORDER = Object.keys(WORDS) as Stage[]

/** What is most often behind a failure at this stage. What the server itself said stands above it. */
const USUAL: Record<Stage, string> = {
  dns: 'Usually a letter is wrong in the name of the outgoing server.',
  tcp: 'Usually the port is wrong: 465 goes with encryption from the first byte, 587 with STARTTLS. Port 25 is closed in most networks.',
  tls: 'Usually port and encryption do not go together: 465 wants TLS from the first byte, 587 wants STARTTLS.',
  auth: 'Usually it is the password. Hosters with two-step sign-in want an app password, and the user name is mostly the whole address.',
  test_message: 'Usually the sender is not allowed to this account: the address must be the one that signs in, or an alias of it.',
  imap: 'Usually IMAP is switched off in the settings of the hoster, or the port is wrong: 993 goes with TLS, 143 with STARTTLS.',
}

/** How a verification went: each stage, what was found, and the likely mistake in words. */
export function Stages({ stages, isRunning, hasInbox }: { stages: Verification['stages'] | null; isRunning: boolean; hasInbox: boolean }) {
  const known = new Map(stages?.map(stage => [stage.stage, stage]))
  const shown = ORDER.filter(stage => known.has(stage) || (stage === 'imap' ? hasInbox : true))
  return (
    <ol aria-label="Stages of the verification" aria-busy={isRunning} className="flex flex-col">
      {shown.map(name => {
        const stage = isRunning ? undefined : known.get(name)
        return (
          <li key={name} className="flex gap-3 border-line border-b py-2.5 last:border-b-0">
            <span
              className={cx(
                'mt-0.5 grid size-5 shrink-0 place-items-center rounded-full',
                stage ? (stage.ok ? 'bg-good-wash text-good' : 'bg-bad-wash text-bad') : 'bg-sunken text-faint',
              )}
            >
              {stage ? (
                stage.ok ? (
                  <CheckIcon width={12} height={12} />
                ) : (
                  <AlertIcon width={12} height={12} />
                )
              ) : isRunning ? (
                <Spinner className="size-3" />
              ) : null}
            </span>
            <div className="min-w-0 flex-1">
              <p className={cx('flex justify-between gap-3', stage ? 'font-medium' : 'text-faint')}>
                {WORDS[name]}
                {stage ? <span className="font-normal text-faint text-xs tabular">{stage.durationMs} ms</span> : null}
              </p>
              {stage ? <p className={cx('break-words', stage.ok ? 'text-faint text-xs' : 'text-bad')}>{stage.detail}</p> : null}
              {stage && !stage.ok ? <p className="mt-1 text-soft">{USUAL[name]}</p> : null}
              {!stage && !isRunning ? <p className="text-faint text-xs">Not tried: what comes before it failed.</p> : null}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
