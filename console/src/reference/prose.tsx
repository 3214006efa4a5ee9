import { cx } from '@/ui/cx.ts'

/** Text of the document: paragraphs with code in backticks. */
export function Prose({ text, className }: { text: string; className?: string }) {
  return text
    .split(/\n+/)
    .filter(Boolean)
    .map(paragraph => (
      <p key={paragraph} className={className}>
        <Inline text={paragraph} />
      </p>
    ))
}

export function Inline({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
      <code key={index} className="break-words rounded bg-sunken px-1 py-px font-mono text-[0.92em]">
        {part}
      </code>
    ) : (
      part
    ),
  )
}

const LOOKS: Record<string, string> = {
  GET: 'text-good',
  POST: 'text-accent-ink',
  PUT: 'text-warn',
  PATCH: 'text-warn',
  DELETE: 'text-bad',
}

export function Method({ method, isShort, className }: { method: string; isShort?: boolean; className?: string }) {
  return (
    <span className={cx('shrink-0 font-mono font-semibold text-2xs', LOOKS[method], className)}>
      {isShort && method === 'DELETE' ? 'DEL' : method}
    </span>
  )
}
