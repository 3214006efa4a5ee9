import { CopyButton } from '../ui/copy-button.tsx'
import type { ExampleLanguage } from './examples.ts'
import { Highlighted } from './highlight.tsx'

/** Code with a name, which can be copied. */
export function Panel({
  name,
  code,
  language,
  head,
}: {
  name: string
  code: string
  language: ExampleLanguage | 'json'
  head?: React.ReactNode
}) {
  return (
    <section aria-label={`Example: ${name}`} className="overflow-hidden rounded-lg border border-line bg-panel">
      <div className="flex min-h-11 items-center gap-2 border-line border-b px-3 py-1.5">
        <span className="mr-auto font-medium text-sm">{name}</span>
        {head}
        <CopyButton text={code} label={`Copy the ${name.toLowerCase()}`} isIconOnly size="sm" variant="ghost" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="max-h-112 overflow-auto bg-sunken px-3 py-2.5 font-mono text-xs leading-relaxed">
        <code>
          <Highlighted code={code} language={language} />
        </code>
      </pre>
    </section>
  )
}
