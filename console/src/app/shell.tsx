import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { clientFor } from '@/api/client.ts'
import { useTestClock } from '@/data/clock.ts'
import {
  chosenWorkspace,
  mayWith,
  personOf,
  rememberedWorkspace,
  sessionQuery,
  type WorkspaceAccess,
  WorkspaceContext,
} from '@/data/session.ts'
import { useLive } from '@/data/use-live.ts'
import { Button } from '@/ui/button.tsx'
import { Sheet } from '@/ui/dialog.tsx'
import { MenuIcon, SearchIcon } from '@/ui/icons.tsx'
import { lazyPart } from '@/ui/lazy.ts'
import { EmptyState } from '@/ui/states.tsx'
import { toast } from '@/ui/toast.tsx'
import { Logo } from './logo.tsx'
import { useShortcuts } from './navigation.ts'
import { Sidebar } from './sidebar.tsx'
import { SignInAgain } from './sign-in-again.tsx'

const Palette = lazyPart(() => import('./palette.tsx').then(module => module.Palette))

/** The frame of every screen: the user, the current workspace and the navigation. */
export function Shell() {
  const { data: present } = useQuery(sessionQuery)
  // When the session ends, the screen stays unchanged below the sign-in.
  const [known, setKnown] = useState(present)
  if (present && present !== known) setKnown(present)
  const identity = present ?? known
  // A later choice in another tab does not affect this one.
  const [chosenId, setChosenId] = useState(rememberedWorkspace)
  const workspace = identity ? chosenWorkspace(identity.workspaces, chosenId) : undefined
  const workspaceId = workspace?.id
  // The client changes only with the workspace, because a new one would open the event stream again.
  const api = useMemo(() => clientFor(workspaceId), [workspaceId])
  const access = useMemo(
    (): WorkspaceAccess | null =>
      workspace && identity
        ? {
            id: workspace.id,
            name: workspace.name,
            personId: personOf(identity),
            api,
            lastEventSeq: workspace.lastEventSeq,
            may: mayWith(workspace.scopes),
            mayOwn: mayWith(identity.scopes),
          }
        : null,
    [workspace, identity, api],
  )
  const router = useRouter()
  // No user is signed in. Invalidating the route runs its access check again, which redirects to the sign-in once.
  useEffect(() => {
    if (!identity) void router.invalidate()
  }, [identity, router])
  if (!identity) return null
  if (!access) return <EmptyState title="No workspace">Your token has no access to a workspace.</EmptyState>
  return (
    <WorkspaceContext value={access}>
      {/* The key discards the input of one person when another one signs in. */}
      <Frame
        key={`${access.id} ${access.personId}`}
        sidebar={search => <Sidebar identity={identity} onChoose={setChosenId} onSearch={search} />}
      />
      {present ? null : <SignInAgain />}
    </WorkspaceContext>
  )
}

function Frame({ sidebar }: { sidebar: (onSearch: () => void) => ReactNode }) {
  useLive()
  useTestClock()
  const [isMenuOpen, setMenuOpen] = useState(false)
  /** Null until it is first opened, because its code is loaded then. After that it stays mounted, so that closing is animated. */
  const [isPaletteOpen, setPaletteOpen] = useState<boolean | null>(null)
  const { pathname } = useLocation()
  useShortcuts(() => setPaletteOpen(isOpen => !isOpen))
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path closes the menu
  useEffect(() => {
    setMenuOpen(false)
    toast.leaveScreen()
  }, [pathname])
  const search = () => {
    setMenuOpen(false)
    setPaletteOpen(true)
  }
  return (
    <div className="min-h-dvh lg:pl-58">
      <a
        href="#content"
        className="sr-only z-60 rounded-md bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <aside className="fixed inset-y-0 left-0 z-20 hidden w-58 border-line border-r bg-ground lg:block">{sidebar(search)}</aside>
      <header className="sticky top-0 z-20 flex h-13 items-center gap-2 border-line border-b bg-ground/90 px-3 backdrop-blur lg:hidden">
        <Button variant="ghost" icon={MenuIcon} label="Open the menu" onClick={() => setMenuOpen(true)} />
        <Logo />
        <Button variant="ghost" icon={SearchIcon} label="Search" className="ml-auto" onClick={search} />
      </header>
      <Sheet open={isMenuOpen} onClose={() => setMenuOpen(false)} title={<Logo />} side="left" className="w-72! lg:hidden" isFlush>
        {sidebar(search)}
      </Sheet>
      <main id="content" tabIndex={-1} className="mx-auto max-w-[76rem] px-4 py-6 outline-none sm:px-6 lg:px-8 lg:py-8">
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      {isPaletteOpen === null ? null : <Palette open={isPaletteOpen} onClose={() => setPaletteOpen(false)} />}
    </div>
  )
}
