import type { Verification, VerificationProgress } from '@overture/sdk'
import { Spinner } from '@/ui/button.tsx'
import { cx } from '@/ui/cx.ts'
import { Mark } from '@/ui/mark.tsx'

type Stage = Verification['stages'][number]['stage']

const WORDS: Record<Stage, string> = {
  dns: 'Find mail servers',
  tcp: 'Connect to server',
  tls: 'Encrypt connection',
  auth: 'Sign in',
  test_message: 'Send test email',
  imap: 'Sign in to inbox',
  folders: 'Read folders',
}
const ORDER = Object.keys(WORDS) as Stage[]

const OF_INBOX: readonly Stage[] = ['imap', 'folders']

interface StagesProps {
  /** The result of the last verification. */
  stages: Verification['stages']
  /** Its progress while it runs. */
  progress: VerificationProgress | null
  isRunning: boolean
  hasInbox: boolean
}

/** Each stage of a verification as it ends: the result, and the likely mistake in words. */
export function Stages({ stages, progress, isRunning, hasInbox }: StagesProps) {
  const known = new Map((isRunning ? (progress?.stages ?? []) : stages).map(stage => [stage.stage, stage]))
  const hasFailed = stages.some(({ ok }) => !ok)
  const shown = ORDER.filter(stage => known.has(stage) || hasInbox || !OF_INBOX.includes(stage))
  return (
    <ol aria-label="Verification steps" aria-busy={isRunning} className="flex flex-col">
      {shown.map(name => {
        const stage = known.get(name)
        const isTried = isRunning && progress?.running.includes(name)
        return (
          <li key={name} className="flex gap-3 border-line border-b py-2.5 last:border-b-0">
            {stage ? (
              <Mark tone={stage.ok ? 'good' : 'bad'} />
            ) : (
              <Mark tone="neutral">{isTried ? <Spinner className="size-3" /> : null}</Mark>
            )}
            <div className="min-w-0 flex-1">
              <p className={cx('flex justify-between gap-3', stage || isTried ? 'font-medium' : 'text-faint')}>{WORDS[name]}</p>
              {stage ? <p className={cx('break-words', stage.ok ? 'text-faint text-xs' : 'text-bad')}>{stage.detail}</p> : null}
              {stage?.cure ? <p className="mt-1 text-soft">{stage.cure}</p> : null}
              {!stage && !isRunning ? (
                <p className="text-faint text-xs">{hasFailed ? 'Skipped because an earlier step failed.' : 'Not needed.'}</p>
              ) : null}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
