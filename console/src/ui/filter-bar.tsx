import { useNavigate, useSearch } from '@tanstack/react-router'
import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { CloseIcon, SearchIcon } from './icons.tsx'
import { Kbd, useSlash } from './keyboard.tsx'
import { type Option, Select } from './select.tsx'
import { afterPaint } from './timing.ts'

interface Filter {
  /** The parameter in the URL. */
  key: string
  label: string
  options: readonly Option<string>[]
  /** The label of the option that filters nothing. */
  all: string
}

interface FilterBarProps {
  /** The placeholder of the search, which sets the parameter `q`. Without it, there is no search. */
  search?: string
  filters?: readonly Filter[]
  children?: ReactNode
}

const TYPING_MS = 250
const ALL = ''

/** Filters and a search, kept in the URL, so that the user can share the view and return to it. */
export function FilterBar({ search: placeholder, filters = [], children }: FilterBarProps) {
  const current = useSearch({ strict: false }) as Record<string, string | undefined>
  const navigate = useNavigate()
  const set = useCallback(
    (changed: Record<string, string | undefined>, replace: boolean) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, ...changed }) as never, replace }),
    [navigate],
  )
  const isFiltered = Boolean(current.q) || filters.some(({ key }) => current[key])
  const clear = () => set(Object.fromEntries(['q', ...filters.map(({ key }) => key)].map(key => [key, undefined])), false)
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element is too new for some of the browsers in use
    <div role="search" className="flex flex-wrap items-center gap-2 border-line border-b p-3">
      {placeholder ? (
        <SearchField placeholder={placeholder} value={current.q ?? ''} onChange={q => set({ q: q || undefined }, true)} />
      ) : null}
      {filters.map(filter => (
        <OneFilter {...filter} key={filter.key} name={filter.key} value={current[filter.key] ?? ALL} onSet={set} />
      ))}
      {isFiltered ? (
        <Button variant="ghost" icon={CloseIcon} onClick={clear}>
          Clear filters
        </Button>
      ) : null}
      {children ? <div className="ml-auto flex items-center gap-2">{children}</div> : null}
    </div>
  )
}

interface OneFilterProps extends Omit<Filter, 'key'> {
  name: string
  value: string
  onSet: (changed: Record<string, string | undefined>, replace: boolean) => void
}

/** Rendered again only if it has changed, because the URL also contains other parameters. */
const OneFilter = memo(({ name, label, options, all, value, onSet }: OneFilterProps) => {
  const choices = useMemo(() => [{ value: ALL, label: all }, ...options], [all, options])
  // The user first sees the list close. Then the URL changes, and the screen with it.
  const choose = (chosen: string) => afterPaint(() => onSet({ [name]: chosen || undefined }, false))
  return <Select label={label} options={choices} value={value} onChange={choose} />
})

function SearchField({ placeholder, value, onChange }: { placeholder: string; value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  const sent = useRef(value)
  useEffect(() => {
    if (typed === sent.current) return
    const timer = setTimeout(() => {
      sent.current = typed
      onChange(typed)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  })
  // The URL can also change through the back button, or through "Clear filters".
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setTyped(value)
  }, [value])
  useSlash(field)
  return (
    <div className="field-box flex h-8 w-full items-center gap-2 px-2.5 sm:w-64">
      <SearchIcon className="shrink-0 text-faint" />
      <input
        ref={field}
        type="search"
        aria-label={placeholder}
        placeholder={placeholder}
        value={typed}
        onChange={event => setTyped(event.target.value)}
        className="min-w-0 flex-1 bg-transparent field-text outline-none placeholder:text-faint [&::-webkit-search-cancel-button]:hidden"
      />
      {typed === '' ? (
        <span className="hidden sm:block">
          <Kbd>/</Kbd>
        </span>
      ) : null}
    </div>
  )
}
