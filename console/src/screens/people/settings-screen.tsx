import { useWorkspaceSettings } from '@/data/workspace-settings.ts'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorState } from '@/ui/states.tsx'
import { ContactRulesCard } from './contact-rules-card.tsx'
import { DomainHealthCard } from './domain-health-card.tsx'
import { NameCard } from './name-card.tsx'
import { OptOutCard } from './opt-out-card.tsx'
import { Page } from './page.tsx'

export function SettingsScreen() {
  const { data: settings, error, refetch } = useWorkspaceSettings()
  return (
    <Page
      title="Workspace"
      description="Its name, and the rules that hold for every campaign which does not say otherwise."
      scope="workspaces:read"
      call={overture => overture.workspaces.getSettings()}
    >
      <div className="flex flex-col gap-5">
        <NameCard />
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
        {settings ? (
          <>
            <ContactRulesCard settings={settings} />
            <DomainHealthCard settings={settings} />
            <OptOutCard settings={settings} />
          </>
        ) : error ? null : (
          <SkeletonLines count={5} />
        )}
      </div>
    </Page>
  )
}
