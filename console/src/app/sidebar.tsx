import type { Identity } from '@overture/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { signOut } from '@/api/client.ts'
import { type LiveState, useLiveState } from '@/data/live-state.ts'
import { forgetWorkspace, rememberWorkspace, sessionQuery, useWorkspace } from '@/data/session.ts'
import { useAnswer } from '@/data/use-answer.ts'
import { cx } from '@/ui/cx.ts'
import { BookIcon, CheckIcon, ChevronsIcon, ClockIcon, MoonIcon, ScreenIcon, SearchIcon, SignOutIcon, SunIcon } from '@/ui/icons.tsx'
import { isMac, Kbd } from '@/ui/keyboard.tsx'
import { Menu } from '@/ui/menu.tsx'
import { chooseExactTimes, useExactTimes } from '@/ui/time.tsx'
import { Logo } from './logo.tsx'
import { SECTIONS } from './navigation.ts'
import { chooseTheme, ThemeButton, type ThemeChoice, useTheme } from './theme.tsx'

const THEMES = [
  { choice: 'light', label: 'Light', icon: SunIcon },
  { choice: 'dark', label: 'Dark', icon: MoonIcon },
  { choice: 'system', label: 'Match system', icon: ScreenIcon },
] as const satisfies readonly { choice: ThemeChoice; label: string; icon: unknown }[]

const PATIENCE_MS = 1000

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Identifies the choice of a workspace that led here. */
    choice?: number
  }
}

type SidebarProps = { identity: Identity; onChoose: (workspaceId: string) => void; onSearch: () => void }

export function Sidebar({ identity, onChoose, onSearch }: SidebarProps) {
  return (
    <div className="flex h-full flex-col gap-3 p-3">
      <div className="hidden h-9 items-center justify-between px-2 lg:flex">
        <Logo />
        <LiveDot />
      </div>
      <WorkspaceMenu identity={identity} onChoose={onChoose} />
      <button
        type="button"
        onClick={onSearch}
        className="flex h-8 items-center gap-2 rounded-lg border border-line bg-panel px-2.5 text-faint text-sm shadow-low hover:border-line-strong"
      >
        <SearchIcon />
        <span className="flex-1 text-left">Search</span>
        <span className="hidden gap-0.5 lg:flex">
          <Kbd>{isMac ? '⌘' : 'Ctrl'}</Kbd>
          <Kbd>K</Kbd>
        </span>
      </button>
      <nav aria-label="Sections" className="flex flex-1 flex-col gap-0.5 overflow-y-auto">
        {SECTIONS.map(({ to, label, icon: Glyph }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            className="group flex h-8 items-center gap-2.5 rounded-lg px-2.5 font-medium text-soft text-sm hover:bg-hover hover:text-ink"
            activeProps={{ className: 'bg-hover text-ink! [&>svg]:text-accent-ink', 'aria-current': 'page' }}
          >
            <Glyph className="text-faint group-hover:text-soft" />
            {label}
            {to === '/plans' ? <WaitingPlans /> : null}
          </Link>
        ))}
      </nav>
      <div className="flex flex-col gap-0.5 border-line border-t pt-3">
        <a href="/docs" className="flex h-8 items-center gap-2.5 rounded-lg px-2.5 text-soft text-sm hover:bg-hover hover:text-ink">
          <BookIcon className="text-faint" />
          API reference
        </a>
        <PersonMenu identity={identity} />
      </div>
    </div>
  )
}

/** The number of pending approval requests, if there are any. */
function WaitingPlans() {
  const { data } = useAnswer(['plans', 'count'], (api, options) => api.plans.list({ status: 'pending', limit: 100 }, options), {
    scope: 'operations:read',
  })
  const count = data?.data.length ?? 0
  if (count === 0) return null
  return (
    <span className="ml-auto rounded-full bg-accent px-1.5 font-semibold text-2xs text-on-accent tabular">
      {data?.meta.pagination.hasMore ? `${count}+` : count}
      <span className="sr-only"> waiting</span>
    </span>
  )
}

/** The first letter of a name, and the name. */
function Initial({ what, name, className }: { what: string; name: string; className: string }) {
  return (
    <>
      <span aria-hidden="true" className={cx('grid size-6 shrink-0 place-items-center text-xs', className)}>
        {name.slice(0, 1).toUpperCase()}
      </span>
      <span className="min-w-0 flex-1 truncate text-sm">
        <span className="sr-only">{what}: </span>
        {name}
      </span>
    </>
  )
}

function WorkspaceMenu({ identity, onChoose }: Pick<SidebarProps, 'identity' | 'onChoose'>) {
  const { id, name } = useWorkspace()
  const queries = useQueryClient()
  const { navigate, history } = useRouter()
  const choose = async (workspaceId: string) => {
    // The known session is as old as the page. Without a connection, no newer one arrives, so the wait is limited.
    await Promise.race([queries.invalidateQueries(sessionQuery), new Promise(resolve => setTimeout(resolve, PATIENCE_MS))])
    // A user who stays on the page because of unsaved input keeps the workspace. The promise of
    // the router does not show this, because the next navigation also settles it.
    const choice = Math.random()
    const stop = history.subscribe(({ location }) => {
      stop()
      if (location.state.choice !== choice) return
      rememberWorkspace(workspaceId)
      forgetWorkspace(queries)
      onChoose(workspaceId)
    })
    void navigate({ to: '/', state: { choice }, replace: history.location.pathname === '/' })
  }
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="flex h-10 items-center gap-2.5 rounded-lg px-2 text-left font-medium hover:bg-hover">
          <Initial what="Workspace" name={name} className="rounded-md bg-accent-wash font-semibold text-accent-ink" />
          <ChevronsIcon className="shrink-0 text-faint" />
        </button>
      }
      header={<div className="px-2.5 py-1.5 text-faint text-xs">Workspaces</div>}
      entries={identity.workspaces.map(workspace => ({
        label: workspace.name,
        hint: workspace.id === id ? <CheckIcon className="text-accent-ink" /> : null,
        onSelect: () => void choose(workspace.id),
      }))}
    />
  )
}

function PersonMenu({ identity }: { identity: Identity }) {
  const { choice } = useTheme()
  const isExact = useExactTimes()
  const queries = useQueryClient()
  const name = identity.user?.name ?? identity.token.name
  const leave = async () => {
    await signOut()
      .finally(() => sessionStorage.clear())
      .catch(() => undefined)
    queries.clear()
    location.assign('/sign-in')
  }
  return (
    <div className="flex items-center gap-1">
      <Menu
        align="start"
        trigger={
          <button type="button" className="flex h-9 min-w-0 flex-1 items-center gap-2.5 rounded-lg px-2 text-left hover:bg-hover">
            <Initial what="Account" name={name} className="rounded-full bg-hover font-medium text-soft" />
          </button>
        }
        header={
          <div className="px-2.5 py-1.5">
            <div className="truncate font-medium text-sm">{name}</div>
            <div className="truncate text-faint text-xs">{identity.user?.email ?? 'Workspace key'}</div>
          </div>
        }
        entries={[
          null,
          ...THEMES.map(theme => ({
            label: theme.label,
            icon: theme.icon,
            hint: theme.choice === choice ? <CheckIcon className="text-accent-ink" /> : null,
            onSelect: () => chooseTheme(theme.choice),
          })),
          null,
          { label: isExact ? 'Show relative times' : 'Show exact times', icon: ClockIcon, onSelect: () => chooseExactTimes(!isExact) },
          { label: 'Sign out', icon: SignOutIcon, onSelect: leave },
        ]}
      />
      <ThemeButton />
    </div>
  )
}

const LIVE_WORDS: Record<LiveState, string> = {
  connecting: 'Connecting',
  live: 'Live updates on',
  offline: 'Not connected. Retrying…',
  refused: 'No live updates: your role cannot read events. Reload the page to see changes.',
}

function LiveDot() {
  const state = useLiveState()
  return (
    <span role="status" title={LIVE_WORDS[state]} className="grid size-5 place-items-center">
      <span className={cx('size-1.5 rounded-full', state === 'live' ? 'bg-good' : state === 'offline' ? 'bg-bad' : 'bg-line-strong')} />
      <span className="sr-only">{LIVE_WORDS[state]}</span>
    </span>
  )
}
