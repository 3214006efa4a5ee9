import { CopyButton } from './copy-button.tsx'
import { cx } from './cx.ts'

export function CodeBlock({ code, title, className }: { code: string; title?: string; className?: string }) {
  return (
    <figure className={cx('group relative overflow-hidden rounded-lg border border-line bg-sunken', className)}>
      {title ? <figcaption className="flex h-9 items-center border-line border-b px-3 text-faint text-xs">{title}</figcaption> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="overflow-x-auto px-3 py-2.5 font-mono text-xs leading-relaxed" tabIndex={0}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} label="Copy" isIconOnly size="sm" variant="ghost" className="absolute top-1 right-1 bg-sunken" />
    </figure>
  )
}
