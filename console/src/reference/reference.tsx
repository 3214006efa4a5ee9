import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { Logo } from '@/app/logo.tsx'
import { ThemeButton } from '@/app/theme.tsx'
import { Button } from '@/ui/button.tsx'
import { ArrowRightIcon, CloseIcon, MenuIcon } from '@/ui/icons.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { type Document, type Endpoint, endpointsOf, webhooksOf } from './document.ts'
import { FillingProvider } from './fill-in.tsx'
import { IntroPage } from './intro-page.tsx'
import { OperationPage, WebhookPage } from './operation-page.tsx'
import { indexOf, Sidebar } from './sidebar.tsx'

const subscribe = (tell: () => void) => {
  window.addEventListener('hashchange', tell)
  return () => window.removeEventListener('hashchange', tell)
}

/** The id of an operation, `on.` with an event type, or nothing. */
const useHash = (): string => useSyncExternalStore(subscribe, () => decodeURIComponent(location.hash.slice(1)))

export function Reference() {
  const { document, problem } = useDocument()
  if (problem) {
    return (
      <main className="p-8">
        <h1 className="font-semibold text-xl">The reference could not be loaded</h1>
        <p className="mt-2 text-soft">
          {problem} Reload the page, or read the <a href="/docs/plain">plain HTML page</a>.
        </p>
      </main>
    )
  }
  if (!document) {
    return (
      <main className="mx-auto max-w-xl p-12" aria-busy="true">
        <h1 className="sr-only">API reference</h1>
        <SkeletonLines count={6} />
      </main>
    )
  }
  return (
    <FillingProvider>
      <Loaded document={document} />
    </FillingProvider>
  )
}

function useDocument(): { document: Document | null; problem: string | null } {
  const [document, setDocument] = useState<Document | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    fetch('/openapi.json')
      .then(async response => {
        if (!response.ok) throw new Error()
        setDocument((await response.json()) as Document)
      })
      .catch(() => setProblem('The service did not respond.'))
  }, [])
  return { document, problem }
}

function Loaded({ document }: { document: Document }) {
  const hash = useHash()
  const { schemas } = document.components
  const endpoints = useMemo(() => endpointsOf(document), [document])
  const everything = useMemo(() => [...endpoints, ...webhooksOf(document)], [document, endpoints])
  const index = useMemo(() => indexOf(everything, schemas), [everything, schemas])
  const [isMenuOpen, setMenuOpen] = useState(false)
  const place = everything.findIndex(endpoint => endpoint.id === hash)
  const shown = everything[place]
  useEffect(() => {
    window.document.title = `${shown ? `${shown.summary.replaceAll('`', '')} · ` : ''}Overture API`
    window.scrollTo(0, 0)
  }, [shown])

  return (
    <div className="min-h-screen">
      <header className="sticky top-0 z-20 flex h-14 items-center gap-3 border-line border-b bg-panel px-4">
        <Button
          variant="ghost"
          icon={isMenuOpen ? CloseIcon : MenuIcon}
          label={isMenuOpen ? 'Close menu' : 'Open menu'}
          onClick={() => setMenuOpen(!isMenuOpen)}
          className="lg:hidden"
        />
        <a href="/" aria-label="Go to the Overture console" className="rounded">
          <Logo />
        </a>
        <span className="hidden text-faint sm:inline">API reference</span>
        <span className="mr-auto" />
        <ThemeButton />
      </header>
      <div className="lg:grid lg:grid-cols-[17rem_minmax(0,1fr)]">
        <div
          className={`${isMenuOpen ? 'flex' : 'hidden'} fixed inset-0 top-14 z-10 flex-col bg-panel lg:sticky lg:bottom-auto lg:flex lg:h-[calc(100vh-3.5rem)] lg:border-line lg:border-r`}
        >
          <Sidebar index={index} current={shown?.id ?? ''} onOpen={() => setMenuOpen(false)} />
        </div>
        <main className="mx-auto w-full min-w-0 max-w-6xl px-4 py-8 sm:px-8 lg:px-10" hidden={isMenuOpen}>
          {shown ? <Shown key={shown.id} endpoint={shown} schemas={schemas} /> : <IntroPage document={document} endpoints={endpoints} />}
          <Next endpoint={everything[place + 1]} />
        </main>
      </div>
    </div>
  )
}

function Shown({ endpoint, schemas }: { endpoint: Endpoint; schemas: Document['components']['schemas'] }) {
  const place = useRef<HTMLDivElement>(null)
  // A screen reader continues from the page, not from the list.
  useEffect(() => place.current?.focus({ preventScroll: true }), [])
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      {endpoint.id.startsWith('on.') ? (
        <WebhookPage endpoint={endpoint} schemas={schemas} />
      ) : (
        <OperationPage endpoint={endpoint} schemas={schemas} />
      )}
    </div>
  )
}

const Next = ({ endpoint }: { endpoint: Endpoint | undefined }) =>
  endpoint ? (
    <p className="mt-12 border-line border-t pt-4">
      <a href={`#${endpoint.id}`} className="inline-flex items-center gap-2 rounded text-accent-ink hover:underline">
        Next: {endpoint.id.startsWith('on.') ? endpoint.id.slice(3) : endpoint.summary}
        <ArrowRightIcon />
      </a>
    </p>
  ) : null
