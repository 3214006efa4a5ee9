import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { cx } from '@/ui/cx.ts'
import { ChevronRightIcon, SearchIcon } from '@/ui/icons.tsx'
import { Kbd, useSlash } from '@/ui/keyboard.tsx'
import { type Endpoint, resolve, type Schema, type Schemas } from './document.ts'
import { Method } from './prose.tsx'

const INTRODUCTION = '#introduction'

/** All operations by subject, or the matches of the search, the best ones first. */
export function Sidebar({ index, current, onOpen }: { index: Index; current: string; onOpen: () => void }) {
  const [text, setText] = useState('')
  const found = useMemo(() => find(index, text), [index, text])
  const groups = useMemo(() => [...Map.groupBy(index, entry => entry.endpoint.tag)], [index])
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLElement>(null)
  useSlash(input)
  // Readers who follow a link see its place in the list.
  useEffect(() => {
    if (current) list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])

  const open = (id: string) => {
    location.hash = id
    onOpen()
  }
  const move = (event: React.KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const stops = [input.current!, ...list.current!.querySelectorAll<HTMLElement>('a, button')]
    const at = stops.indexOf(document.activeElement as HTMLInputElement)
    stops[Math.min(stops.length - 1, Math.max(0, at + (event.key === 'ArrowDown' ? 1 : -1)))]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between links, and so does Tab
    <div className="flex min-h-0 flex-1 flex-col" onKeyDown={move}>
      <search className="relative p-3 pb-2">
        <SearchIcon className="pointer-events-none absolute top-1/2 left-5.5 -translate-y-[calc(50%-2px)] text-faint" />
        <input
          ref={input}
          type="search"
          aria-label="Search the reference"
          placeholder="Search"
          value={text}
          onChange={event => setText(event.target.value)}
          onKeyDown={event => {
            if (event.key === 'Enter' && found[0]) open(found[0].id)
            if (event.key === 'Escape') setText('')
          }}
          className="field-box field-text h-9 w-full pr-8 pl-8"
        />
        <span className="pointer-events-none absolute top-1/2 right-5.5 -translate-y-[calc(50%-2px)]">
          <Kbd>/</Kbd>
        </span>
      </search>
      <nav ref={list} aria-label="Operations" className="min-h-0 flex-1 overflow-y-auto px-2 pb-6">
        {text.trim() === '' ? (
          <>
            <a
              href={INTRODUCTION}
              onClick={onOpen}
              aria-current={current === '' ? 'page' : undefined}
              className="block rounded-md px-2 py-1.5 text-soft hover:bg-hover aria-[current]:bg-accent-wash aria-[current]:font-medium aria-[current]:text-accent-ink"
            >
              Introduction
            </a>
            {groups.map(([tag, entries]) => (
              <Group key={tag} tag={tag} endpoints={entries.map(entry => entry.endpoint)} current={current} onOpen={onOpen} />
            ))}
          </>
        ) : (
          <>
            <p className="px-2 py-1.5 text-faint text-xs" role="status">
              {found.length === 0 ? 'No matches. Try one word, or part of a path.' : `${found.length} found`}
            </p>
            <ul>
              {found.slice(0, 60).map(endpoint => (
                <Item key={endpoint.id} endpoint={endpoint} isCurrent={endpoint.id === current} onOpen={onOpen} isLong />
              ))}
            </ul>
          </>
        )}
      </nav>
    </div>
  )
}

function Group({ tag, endpoints, current, onOpen }: { tag: string; endpoints: Endpoint[]; current: string; onOpen: () => void }) {
  const hasCurrent = endpoints.some(endpoint => endpoint.id === current)
  const [isOpen, setOpen] = useState(hasCurrent)
  const [wasCurrent, setWasCurrent] = useState(hasCurrent)
  if (hasCurrent !== wasCurrent) {
    setWasCurrent(hasCurrent)
    if (hasCurrent) setOpen(true)
  }
  const id = useId()
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center gap-1.5 rounded-md px-2 py-1.5 text-left text-soft hover:bg-hover"
      >
        <span className="mr-auto">{tag}</span>
        <span className="tabular text-faint text-xs">{endpoints.length}</span>
        <ChevronRightIcon className={cx('size-3.5 text-faint transition-transform', isOpen && 'rotate-90')} />
      </button>
      <ul id={id} hidden={!isOpen} className="mb-2 ml-2 border-line border-l pl-1">
        {isOpen
          ? endpoints.map(endpoint => <Item key={endpoint.id} endpoint={endpoint} isCurrent={endpoint.id === current} onOpen={onOpen} />)
          : null}
      </ul>
    </div>
  )
}

function Item({ endpoint, isCurrent, onOpen, isLong }: { endpoint: Endpoint; isCurrent: boolean; onOpen: () => void; isLong?: boolean }) {
  const isEvent = endpoint.id.startsWith('on.')
  return (
    <li>
      <a
        href={`#${endpoint.id}`}
        onClick={onOpen}
        aria-current={isCurrent ? 'page' : undefined}
        className="flex items-baseline gap-2 rounded-md px-2 py-1 text-soft hover:bg-hover aria-[current]:bg-accent-wash aria-[current]:font-medium aria-[current]:text-accent-ink"
      >
        {isEvent ? null : <Method method={endpoint.method} isShort className="w-9" />}
        <span className="min-w-0">
          <span className={cx('block break-words', isEvent && 'font-mono text-xs')}>
            {isEvent ? endpoint.id.slice('on.'.length) : endpoint.summary}
          </span>
          {isLong && !isEvent ? <span className="block break-all font-mono text-2xs text-faint">{endpoint.path}</span> : null}
        </span>
      </a>
    </li>
  )
}

interface Entry {
  endpoint: Endpoint
  /** All in lower case. */
  title: string
  path: string
  rest: string
}

type Index = readonly Entry[]

export const indexOf = (endpoints: readonly Endpoint[], schemas: Schemas): Index =>
  endpoints.map(endpoint => ({
    endpoint,
    title: `${endpoint.id} ${endpoint.id.replace(/[._]|(?=[A-Z])/g, ' ')} ${endpoint.summary}`.toLowerCase(),
    path: `${endpoint.method} ${endpoint.path}`.toLowerCase(),
    rest: [
      endpoint.tag,
      endpoint.about,
      endpoint.scope,
      endpoint.action,
      ...endpoint.parameters.map(parameter => parameter.name),
      ...endpoint.responses.flatMap(({ codes }) => codes),
      ...(endpoint.body ? fieldNames(endpoint.body.schema, schemas) : []),
    ]
      .join(' ')
      .toLowerCase(),
  }))

const fieldNames = (schema: Schema, schemas: Schemas): string[] => Object.keys(resolve(schema, schemas).schema.properties ?? {})

/** Every word must match. Titles count more than paths, and paths more than the rest. Without words, everything matches. */
function find(index: Index, text: string): Endpoint[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return index.map(entry => entry.endpoint)
  return index
    .map(entry => ({ entry, score: words.reduce((sum, word) => sum + worthOf(entry, word), 0) }))
    .filter(({ score }) => score > Number.NEGATIVE_INFINITY)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry.endpoint)
}

function worthOf({ title, path, rest }: Entry, word: string): number {
  if (title.split(' ').includes(word)) return 12
  if (title.includes(word)) return 8
  if (path.includes(word)) return 4
  return rest.includes(word) ? 1 : Number.NEGATIVE_INFINITY
}
