import { type Campaign, type CsvImportResult, type CsvTrial, Overture } from '@overture/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { sessionKey } from '@/api/client.ts'
import { useWorkspace } from '@/data/session.ts'
import { type OperationPhase, useOperation } from '@/data/use-operation.ts'
import { Button, optionsOf } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { Progress } from '@/ui/chart.tsx'
import { cx } from '@/ui/cx.ts'
import { Field, Input, Switch } from '@/ui/field.tsx'
import { formatBytes, formatCount, formatNoun } from '@/ui/format.ts'
import { ArrowRightIcon } from '@/ui/icons.tsx'
import { LeaveGuard } from '@/ui/leave-guard.tsx'
import { Select } from '@/ui/select.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { LEAD_LABELS } from './data.ts'

const ENCODINGS = { 'utf-8': 'UTF-8', 'utf-16le': 'UTF-16', 'utf-16be': 'UTF-16', 'windows-1252': 'Windows-1252' } as const
const DELIMITERS: Record<CsvTrial['delimiter'], string> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' }

interface ImportCheckProps {
  campaign: Campaign
  file: File
  onAgain: () => void
  onDone: (result: CsvImportResult) => void
}

/** A slow line must not end an upload. */
const LONGEST_UPLOAD_MS = 24 * 3_600_000

/** A preview of the import, with the options to change it. */
export function ImportCheck({ campaign, file, onAgain, onDone }: ImportCheckProps) {
  const { id } = useWorkspace()
  const [mapping, setMapping] = useState<Record<string, string | null>>({})
  const [updates, setUpdates] = useState(false)
  const [listName, setListName] = useState('')
  const [sent, setSent] = useState<number | null>(null)
  const api = useMemo(
    () =>
      new Overture({
        ...{ baseUrl: '', workspaceId: id, fetch: fetchWithProgress(setSent) },
        ...{ retries: 1, retryForMs: 5000, timeoutMs: LONGEST_UPLOAD_MS },
      }),
    [id],
  )
  const mapped = Object.keys(mapping).length > 0 ? { mapping: JSON.stringify(mapping) } : {}
  const trial = useQuery({
    queryKey: ['csv-trial', campaign.id, file.name, file.size, file.lastModified, mapping],
    queryFn: async ({ signal }) => (await api.leads.importCsv(campaign.id, { dryRun: true, ...mapped }, file, { signal })).data!,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const start = useOperation({
    // The input identifies the attempt. The file itself is too large for it, so its name, size and options stand for it.
    send: (_: { file: string; mapping: object }, { idempotencyKey }) => {
      setSent(null)
      const options = {
        ...(updates ? { onDuplicate: 'update' as const } : {}),
        ...(listName.trim() ? { leadListName: listName.trim() } : {}),
      }
      return api.leads.importCsv(campaign.id, { ...mapped, ...options }, file, { idempotencyKey })
    },
    once: `import ${campaign.id}`,
    touches: [['campaign', campaign.id], ['campaigns']],
    onDone,
    endsOnLeave: true,
  })
  const { data, error, isPlaceholderData } = trial
  const rename = (header: string, target: string | null) => setMapping({ ...mapping, [header]: target })
  const isChosen = Object.keys(mapping).length > 0 || updates || listName.trim() !== ''
  return (
    <>
      {/* Once the file is uploaded, nothing is lost by leaving. */}
      <LeaveGuard loses={isChosen && (!start.isBusy || start.phase === 'sending')} />
      <Card
        title={file.name}
        description={
          data ? `${DELIMITERS[data.delimiter]}-separated, ${ENCODINGS[data.encoding]}, ${formatBytes(file.size)}` : formatBytes(file.size)
        }
        actions={<Button onClick={onAgain}>Choose another file</Button>}
      >
        <ErrorNote error={error} className="mb-4" />
        {data ? (
          <dl aria-busy={isPlaceholderData} className="grid grid-cols-3 gap-2 sm:gap-3">
            <Sum name="Rows" value={data.rowCount} />
            <Sum name="Valid" value={data.validCount} tone={data.validCount > 0 ? 'good' : 'bad'} />
            <Sum name="Rejected" value={data.invalidCount} tone={data.invalidCount > 0 ? 'bad' : 'none'} />
          </dl>
        ) : error ? null : (
          <SkeletonLines count={3} />
        )}
      </Card>
      {data ? (
        <>
          <Card
            isFlush
            title="Columns"
            description="Choose how each column is imported. Unmapped columns become variables for your templates."
          >
            <ColumnMapping trial={data} onChange={rename} isBusy={trial.isFetching} />
          </Card>
          {data.invalidCount > 0 ? (
            <RowProblems
              title={formatNoun(data.invalidCount, 'rejected row')}
              description={
                data.validCount > 0
                  ? 'All other rows are imported. After the import, you can download the rejected rows, fix them and import that file.'
                  : 'No row can be imported. Change the columns above, or fix the file and choose it again.'
              }
              rows={data.invalid}
              count={data.invalidCount}
              tone="bad"
            />
          ) : null}
          {data.warningCount > 0 ? (
            <RowProblems
              title={formatNoun(data.warningCount, 'warning')}
              description="These rows are imported without the values that cannot be used."
              rows={data.warnings}
              count={data.warningCount}
              tone="warn"
            />
          ) : null}
          <Card title="Options">
            <div className="grid items-start gap-5 sm:grid-cols-2">
              <Switch
                label="Update existing leads"
                help="If off, leads already in the campaign are skipped. Fields without a column in the file never change."
                checked={updates}
                onChange={setUpdates}
              />
              <Field label="List name" optional help="Shows later where these leads came from.">
                <Input value={listName} onValueChange={setListName} placeholder={file.name} maxLength={255} />
              </Field>
            </div>
          </Card>
          <ErrorNote error={start.error} />
          <div className="flex flex-wrap items-center justify-end gap-3">
            <ImportProgress phase={start.phase} sent={sent} done={start.underWay?.doneCount ?? 0} rowCount={data.rowCount} />
            <Button
              variant="primary"
              phase={start.phase}
              disabled={data.validCount === 0 || trial.isFetching}
              onClick={() =>
                void start.run({ file: `${file.name} ${file.size} ${file.lastModified}`, mapping: { ...mapping, updates, listName } })
              }
            >
              {`Import ${formatNoun(data.validCount, 'lead')}`}
            </Button>
          </div>
        </>
      ) : null}
    </>
  )
}

interface ImportProgressProps {
  phase: OperationPhase
  /** The fraction of the file that is uploaded. */
  sent: number | null
  done: number
  rowCount: number
}

function ImportProgress({ phase, sent, done, rowCount }: ImportProgressProps) {
  const isSending = phase === 'sending'
  const isUnderWay = phase === 'queued' || phase === 'running'
  return (
    <>
      {isSending && sent !== null ? <Progress part={sent} whole={1} label="Uploaded" /> : null}
      {isUnderWay ? (
        <>
          <Progress part={done} whole={rowCount} label="Imported" />
          <span className="text-soft tabular">
            {formatCount(done)} of {formatNoun(rowCount, 'row')}.
          </span>
        </>
      ) : null}
      {/* Always present, because screen readers announce only changes. The count is outside, so that it is not read again and again. */}
      <span role="status" className="text-soft">
        {isSending ? 'Uploading the file' : isUnderWay ? 'You can leave this page. The import continues.' : null}
      </span>
    </>
  )
}

function Sum({ name, value, tone = 'none' }: { name: string; value: number; tone?: 'good' | 'bad' | 'none' }) {
  return (
    <div className="flex flex-col justify-between rounded-lg bg-ground px-3 py-2">
      <dt className="text-faint text-xs">{name}</dt>
      <dd className={`font-semibold text-lg tabular ${{ good: 'text-good', bad: 'text-bad', none: '' }[tone]}`}>{formatCount(value)}</dd>
    </div>
  )
}

/** Like `fetch`, but reports the progress of an upload, which `fetch` cannot. A file may have 200 MB. */
const fetchWithProgress =
  (onProgress: (fraction: number) => void): typeof fetch =>
  (url, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, String(url))
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.setRequestHeader('x-overture-console', sessionKey())
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
      request.onload = () => {
        const id = request.getResponseHeader('x-request-id')
        resolve(new Response(request.responseText, { status: request.status, ...(id ? { headers: { 'x-request-id': id } } : {}) }))
      }
      request.onerror = () => reject(new TypeError('The connection was lost.'))
      signal?.addEventListener('abort', () => {
        request.abort()
        reject(signal.reason)
      })
      request.send(body as Blob | undefined)
    })

const FIELDS = optionsOf({ email: 'Email address', ...LEAD_LABELS })
const isField = (target: string): boolean => target === 'email' || Object.hasOwn(LEAD_LABELS, target)
const VARIABLE = 'variable'
const NOTHING = 'nothing'

/** A valid variable name, made from the header of a column. */
const variableName = (header: string): string =>
  header
    .normalize('NFKD')
    .replace(/[^\w\s-]|_/g, '')
    .trim()
    .replace(/[\s-]+(\w)/g, (_, letter: string) => letter.toUpperCase())
    .replace(/^[^A-Za-z]+/, '')
    .replace(/^./, letter => letter.toLowerCase())
    .slice(0, 63) || 'column'

interface ColumnMappingProps {
  trial: CsvTrial
  onChange: (header: string, target: string | null) => void
  isBusy: boolean
}

/** Every column of the file with its first values, and the field it is imported as. */
function ColumnMapping({ trial, onChange, isBusy }: ColumnMappingProps) {
  return (
    <ul aria-busy={isBusy} className={cx('divide-y divide-line transition-opacity', isBusy && 'opacity-60')}>
      {trial.columns.map(({ header, target }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file stay in their places, and may have the same name
        <li key={index} className="grid items-center gap-x-4 gap-y-2 px-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,22rem)]">
          <div className="min-w-0">
            <p className="truncate font-medium">{header || `Column ${index + 1}`}</p>
            <p className="truncate text-faint text-xs">
              {trial.firstRows
                .slice(0, 4)
                .map(row => row[index])
                .filter(Boolean)
                .join(' · ') || 'empty in the first rows'}
            </p>
          </div>
          <ArrowRightIcon className="hidden text-faint sm:block" />
          <div className="flex gap-2">
            <Select
              label={`Import ${header} as`}
              className={cx('w-full flex-1', target === null && 'text-faint')}
              options={[...FIELDS, { value: VARIABLE, label: 'Variable' }, { value: NOTHING, label: 'Skip column' }]}
              value={target === null ? NOTHING : isField(target) ? target : VARIABLE}
              onChange={chosen => onChange(header, chosen === NOTHING ? null : chosen === VARIABLE ? variableName(header) : chosen)}
            />
            {target !== null && !isField(target) ? (
              <VariableName key={target} header={header} name={target} onChange={name => onChange(header, name)} />
            ) : null}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Sent when the field loses focus, because every change is tested on the whole file. */
function VariableName({ header, name, onChange }: { header: string; name: string; onChange: (name: string) => void }) {
  const [typed, setTyped] = useState(name)
  const isGood = /^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(typed) && !isField(typed)
  return (
    <Input
      aria-label={`Variable name for ${header}`}
      aria-invalid={!isGood}
      title="Start with a letter. Use letters, digits and underscores."
      className="flex-1 font-mono"
      value={typed}
      onValueChange={setTyped}
      onBlur={() => (isGood ? typed !== name && onChange(typed) : setTyped(name))}
      onKeyDown={event => event.key === 'Enter' && event.currentTarget.blur()}
    />
  )
}

interface RowProblemsProps {
  title: string
  description: string
  rows: readonly { line: number; reason: string }[]
  count: number
  tone: 'bad' | 'warn'
}

/** Rows of a file, each with its problem. */
export function RowProblems({ title, description, rows, count, tone }: RowProblemsProps) {
  return (
    <Card isFlush title={title} description={description}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="max-h-64 overflow-y-auto" aria-label={title} tabIndex={0}>
        <ul className="divide-y divide-line">
          {rows.map(({ line, reason }) => (
            <li key={`${line}${reason}`} className="flex gap-4 px-4 py-1.5">
              <span className="w-20 shrink-0 text-faint tabular">Line {formatCount(line)}</span>
              <span className={tone === 'bad' ? 'text-bad' : 'text-warn'}>{reason}</span>
            </li>
          ))}
        </ul>
        {count > rows.length ? <p className="px-4 py-2 text-faint">and {formatCount(count - rows.length)} more</p> : null}
      </section>
    </Card>
  )
}
