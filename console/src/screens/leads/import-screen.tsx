import type { CsvImportResult } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useThisCampaign } from '@/screens/campaign/this-campaign.ts'
import { Card } from '@/ui/card.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { NoPermission } from '@/ui/states.tsx'
import { FileDrop } from './file-drop.tsx'
import { ImportCheck } from './import-check.tsx'
import { ImportResult } from './import-result.tsx'

/** Stands for the file of a program. */
const EXAMPLE = new File([], 'people.csv')

/** From a file to leads: choose it, look at what would become of it, and import it. */
export function ImportScreen() {
  const campaign = useThisCampaign()
  const { id, may } = useWorkspace()
  const [file, setFile] = useState<File | null>(null)
  const [result, setResult] = useState<CsvImportResult | null>(null)
  if (!may('leads:write')) return <NoPermission scope="leads:write" />
  const path = `/v1/workspaces/${id}/campaigns/${campaign.id}/leads/import/csv`
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
        <ImportCheck
          key={`${file.name}${file.lastModified}`}
          campaign={campaign}
          path={path}
          file={file}
          onAgain={again}
          onDone={setResult}
        />
      ) : (
        <Card>
          <FileDrop onFile={setFile} />
        </Card>
      )}
    </div>
  )
}
