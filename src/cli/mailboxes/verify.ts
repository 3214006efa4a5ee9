import type { Overture } from '../../../packages/sdk/src/client.ts'
import type { Verification, VerificationOperation, VerificationProgress } from '../../../packages/sdk/src/types.gen.ts'
import type { Flags } from '../flags.ts'
import { harmless } from '../output.ts'
import type { Shell } from '../shell.ts'

type Stage = Verification['stages'][number]

const DOING: Record<Stage['stage'], string> = {
  dns: 'looking for the server',
  tcp: 'connecting',
  tls: 'encrypting the connection',
  auth: 'signing in',
  test_message: 'sending a test message',
  imap: 'signing in to the inbox',
  folders: 'listing the folders',
}

/** Verifies a mailbox and prints each stage when it ends, with the likely fix of a failed one. */
export async function verifyAloud(service: Overture, providerId: string, flags: Flags, shell: Shell): Promise<Verification> {
  const printed = new Map<Stage['stage'], boolean>()
  const show = (stages: Stage[]): void => {
    if (flags.isOn('json')) return
    for (const stage of stages) {
      // If a worker dies, another one starts again; stages with the same result are not printed twice.
      if (printed.get(stage.stage) === stage.ok) continue
      printed.set(stage.stage, stage.ok)
      shell.status?.('')
      printStage(stage, shell)
    }
  }
  const onProgress = ({ progress }: VerificationOperation): void => {
    show(progress?.stages ?? [])
    shell.status?.(`Verifying: ${doing(progress)} ...`)
  }
  try {
    const { verification } = await service.providers.startVerification(providerId).wait({ timeoutMs: Number.POSITIVE_INFINITY, onProgress })
    show(verification.stages)
    return verification
  } finally {
    shell.status?.('')
  }
}

const doing = (progress: VerificationProgress | undefined): string =>
  progress?.running.map(stage => DOING[stage]).join(', ') || 'in the queue'

function printStage({ stage, ok, detail, cure, durationMs }: Stage, shell: Shell): void {
  shell.print(`${ok ? 'ok  ' : 'fail'}  ${stage.padEnd(12)}  ${harmless(detail)}  (${durationMs} ms)`)
  if (cure) shell.print(`${' '.repeat(20)}${harmless(cure)}`)
}
