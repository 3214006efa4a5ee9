/** Text of the document: paragraphs, and names in backticks. */
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
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text stay where they are
      <code key={index} className="break-words rounded bg-sunken px-1 py-px font-mono text-[0.92em]">
        {part}
      </code>
    ) : (
      part
    ),
  )
}
