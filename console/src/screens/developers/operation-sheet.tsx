import type { Operation } from '@overture/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { Status } from '@/ui/badge.tsx'
import { CodeBlock } from '@/ui/code-block.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { Sheet } from '@/ui/dialog.tsx'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { KeyValue } from '@/ui/key-value.tsx'
import { Progress } from '@/ui/progress.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useOperationById } from './data.ts'
import { Actor, durationWords, took } from './operation-parts.tsx'

export function OperationSheet({ id, filters }: { id: string | undefined; filters: Record<string, string | undefined> }) {
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/developers/operations', search: filters as never })
  return (
    <Sheet isInAddress open={Boolean(id)} onClose={close} title="Operation">
      {id ? <Details id={id} /> : null}
    </Sheet>
  )
}

function Details({ id }: { id: string }) {
  const { data: operation, error, refetch } = useOperationById(id)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!operation) return <SkeletonLines count={8} />
  return <Shown operation={operation} />
}

function Shown({ operation }: { operation: Operation }) {
  const { waitedMs, ranMs } = took(operation)
  const { error, result } = operation
  const { campaignId } = (result ?? {}) as { campaignId?: string }
  return (
    <div className="flex flex-col gap-5">
      <div className="flex items-center justify-between gap-3">
        <code className="min-w-0 break-words font-mono font-medium">{operation.action}</code>
        <span className="flex items-center gap-1">
          <Status status={operation.status} />
          <CopyAs call={overture => overture.operations.get(operation.id)} />
        </span>
      </div>
      {error ? (
        <div className="rounded-lg bg-bad-wash px-3 py-2.5 text-bad">
          <p className="font-medium">
            <code className="font-mono text-xs">{error.code}</code>
          </p>
          <p>{error.message}</p>
          <p className="mt-1 text-xs">
            {error.retryable
              ? 'Nothing was saved or charged. The same request with a new idempotency key may succeed.'
              : 'The same request would fail again: something in it, or around it, has to change.'}
          </p>
        </div>
      ) : null}
      <HowFar operation={operation} />
      <KeyValue
        items={[
          ['Who asked', <Actor key="actor" actor={operation.actor} />],
          ['Asked', <Time key="created" at={operation.createdAt} isReal />],
          ['Waited', durationWords(waitedMs)],
          ['Ran', durationWords(ranMs)],
          [
            'Campaign',
            campaignId ? (
              <Link key="campaign" to="/campaigns/$campaignId" params={{ campaignId }} className="text-accent-ink hover:underline">
                Open it
              </Link>
            ) : null,
          ],
          [
            'Id',
            <code key="id" className="break-all font-mono text-xs">
              {operation.id}
            </code>,
          ],
        ]}
      />
      {result === null || result === undefined ? null : <CodeBlock title="Result" code={JSON.stringify(result, null, 2)} />}
    </div>
  )
}

/** What a running operation reports of itself. */
function HowFar({ operation }: { operation: Operation }) {
  if ('doneCount' in operation && operation.doneCount !== undefined) {
    return (
      <p role="status" className="text-soft tabular">
        {formatNoun(operation.doneCount, 'row')} done so far
      </p>
    )
  }
  const progress = 'progress' in operation ? operation.progress : undefined
  if (!progress) return null
  if ('writtenCount' in progress) {
    return (
      <div role="status" className="flex items-center justify-between gap-3 text-soft tabular">
        {formatCount(progress.writtenCount)} of {formatNoun(progress.leadCount, 'person', 'people')} written
        <Progress part={progress.writtenCount} whole={progress.leadCount} label="Written" />
      </div>
    )
  }
  return <CodeBlock title="Progress" code={JSON.stringify(progress, null, 2)} />
}
