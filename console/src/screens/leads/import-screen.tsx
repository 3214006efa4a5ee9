import type { CsvImportResult } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { useThisCampaign } from '@/screens/campaign/data.ts'
import { Button, buttonClass } from '@/ui/button.tsx'
import { Card, KeyValue } from '@/ui/card.tsx'
import { saveFile } from '@/ui/copy.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { cx } from '@/ui/cx.ts'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { DownloadIcon, UploadIcon } from '@/ui/icons.tsx'
import { NumberLink } from '@/ui/quick-link.tsx'
import { ErrorNote, NoPermission } from '@/ui/states.tsx'
import { ImportCheck, RowProblems } from './import-check.tsx'

/** A placeholder in the copied call. */
const EXAMPLE = new File([], 'people.csv')

/** Imports leads in three steps: choose a file, check the preview, import. */
export function ImportScreen() {
  const campaign = useThisCampaign()
  const { may } = useWorkspace()
  const [file, setFile] = useState<File | null>(null)
  const [result, setResult] = useState<CsvImportResult | null>(null)
  if (!may('leads:write')) return <NoPermission scope="leads:write" />
  const again = () => {
    setFile(null)
    setResult(null)
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center justify-between gap-3">
        <Link to="/campaigns/$campaignId/leads" params={{ campaignId: campaign.id }} className="text-faint text-sm hover:text-ink">
          ← All leads
        </Link>
        <CopyAs call={overture => overture.leads.importCsv(campaign.id, { dryRun: true }, EXAMPLE)} />
      </div>
      {result ? (
        <ImportResult campaignId={campaign.id} result={result} onAgain={again} />
      ) : file ? (
        <ImportCheck key={`${file.name}${file.lastModified}`} campaign={campaign} file={file} onAgain={again} onDone={setResult} />
      ) : (
        <Card>
          <FileDrop onFile={setFile} />
        </Card>
      )}
    </div>
  )
}

const MOST_BYTES = 200 * 1024 * 1024

/** Takes a file that is dropped or chosen with the button. */
function FileDrop({ onFile }: { onFile: (file: File) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const take = (file: File | undefined) => {
    if (!file) return
    if (file.size === 0) return setProblem(`“${file.name}” is empty.`)
    if (file.size > MOST_BYTES) return setProblem(`“${file.name}” is larger than 200 MB. Split it into several files.`)
    onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for those who do not drag
    <div
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files[0])
      }}
      className={cx(
        'flex flex-col items-center gap-1 rounded-lg border border-dashed px-6 py-14 text-center transition-colors',
        isOver ? 'border-accent bg-accent-wash' : 'border-line-strong bg-ground',
      )}
    >
      <UploadIcon width={24} height={24} className="mb-2 text-faint" />
      <h2 className="font-semibold text-base">Drop a CSV file here</h2>
      <p className="max-w-lg text-balance text-soft">
        The first row must contain the column names. Any separator and encoding works, up to 200 MB. You see a preview before anything is
        imported.
      </p>
      <input
        ref={field}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        aria-label="CSV file"
        className="sr-only"
        tabIndex={-1}
        onChange={event => take(event.target.files?.[0])}
      />
      <Button variant="primary" className="mt-4" onClick={() => field.current?.click()}>
        Choose file
      </Button>
      {problem ? (
        <p role="alert" className="mt-2 text-bad">
          {problem}
        </p>
      ) : null}
    </div>
  )
}

/** The counts of an import, with the rejected rows to download. */
function ImportResult({ campaignId, result, onAgain }: { campaignId: string; result: CsvImportResult; onAgain: () => void }) {
  const { api } = useWorkspace()
  const operationId = result.rejectedRowsUrl?.match(/import\/([^/]+)\/rejected-rows/)?.[1]
  const save = useOperation({
    send: async (_: null) => saveFile(await (await api.leads.downloadRejectedRows(campaignId, operationId!)).blob(), 'rejected-rows.csv'),
  })
  const counted = (value: number, why: string) => (value > 0 ? `${formatCount(value)} ${why}` : null)
  return (
    <>
      <Card
        title={`${formatNoun(result.importedCount, 'lead')} imported`}
        actions={
          <>
            <Button onClick={onAgain}>Import another file</Button>
            <Link to="/campaigns/$campaignId/leads" params={{ campaignId }} className={buttonClass('primary')}>
              View leads
            </Link>
          </>
        }
      >
        <KeyValue
          items={[
            [
              'Imported',
              <NumberLink key="imported" link={{ to: '/campaigns/$campaignId/leads', params: { campaignId } }} title="View leads">
                {formatCount(result.importedCount)}
              </NumberLink>,
            ],
            ['Updated', counted(result.updatedCount, 'already in the campaign')],
            ['Duplicates', counted(result.duplicateCount, 'skipped')],
            ['Suppressed', counted(result.suppressedCount, 'on the suppression list')],
            ['Rejected', counted(result.invalidCount, '(see below)')],
          ]}
        />
      </Card>
      {result.invalidCount > 0 ? (
        <>
          <ErrorNote error={save.error} />
          <RowProblems
            title={formatNoun(result.invalidCount, 'rejected row')}
            description="Download the rejected rows with reasons. Fix them and import the same file."
            rows={result.invalid}
            count={result.invalidCount}
            tone="bad"
          />
          <div className="flex justify-end">
            <Button icon={DownloadIcon} phase={save.phase} onClick={() => void save.run(null)}>
              Download rejected rows
            </Button>
          </div>
        </>
      ) : null}
    </>
  )
}
