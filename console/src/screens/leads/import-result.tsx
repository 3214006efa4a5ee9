import type { CsvImportResult } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button, buttonClass } from '@/ui/button.tsx'
import { Card, KeyValue } from '@/ui/card.tsx'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { DownloadIcon } from '@/ui/icons.tsx'
import { NumberLink } from '@/ui/quick-link.tsx'
import { ErrorNote } from '@/ui/states.tsx'

/** What came of an import, with the rejected rows to take along. */
export function ImportResult({ campaignId, result, onAgain }: { campaignId: string; result: CsvImportResult; onAgain: () => void }) {
  const { api } = useWorkspace()
  const operationId = result.rejectedRowsUrl?.match(/import\/([^/]+)\/rejected-rows/)?.[1]
  const save = useOperation({
    send: async (_: null) => saveResponse(await api.leads.downloadRejectedRows(campaignId, operationId!), 'rejected-rows.csv'),
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
          <ToldRows
            title={`${formatNoun(result.invalidCount, 'row')} rejected`}
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

interface ToldRowsProps {
  title: string
  description: string
  rows: readonly { line: number; reason: string }[]
  count: number
  tone: 'bad' | 'warn'
}

/** Rows of a file and what is wrong with each. */
export function ToldRows({ title, description, rows, count, tone }: ToldRowsProps) {
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

/** Saves what an endpoint answers as a file: a plain link could not send the header that proves where the page is from. */
async function saveResponse(response: Response, name: string): Promise<void> {
  const address = URL.createObjectURL(await response.blob())
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
