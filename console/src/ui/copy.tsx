import { useEffect, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { cx } from './cx.ts'
import { CheckIcon, CopyIcon } from './icons.tsx'

/** Copies a text, and returns whether it worked. Pages that were loaded over plain http have no clipboard, so there is an older way, too. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = Object.assign(document.createElement('textarea'), { value: text, readOnly: true })
    area.className = 'sr-only'
    document.body.append(area)
    area.select()
    const isDone = document.execCommand('copy')
    area.remove()
    return isDone
  }
}

/** Saves a response as a file. A plain link could not send the header that proves where the page is from. */
export function saveFile(content: Blob, name: string): void {
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(content), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

interface CopyButtonProps extends Omit<ButtonProps, 'icon' | 'children'> {
  text: string | (() => string)
  label: string
  isIconOnly?: boolean
}

export function CopyButton({ text, label, isIconOnly, ...rest }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 1600)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => setCopied(await copyText(typeof text === 'string' ? text : text()))
  const name = isCopied ? 'Copied' : label
  return <Button icon={isCopied ? CheckIcon : CopyIcon} onClick={copy} {...(isIconOnly ? { label: name } : { children: name })} {...rest} />
}

interface CodeBlockProps {
  code: string
  title?: string
  /** Breaks long lines instead of scrolling them: for a secret, or a text of one line. */
  isWrapped?: boolean
  className?: string
}

/** A text to copy. The button is next to the text and never covers it. */
export function CodeBlock({ code, title, isWrapped, className }: CodeBlockProps) {
  return (
    <figure className={cx('overflow-hidden rounded-lg border border-line bg-sunken', className)}>
      {title ? <figcaption className="break-all border-line border-b px-3 py-2.5 text-faint text-xs">{title}</figcaption> : null}
      <div className="flex items-start">
        <pre
          className={cx(
            'min-w-0 flex-1 px-3 py-2.5 font-mono text-xs leading-relaxed',
            isWrapped ? 'whitespace-pre-wrap break-all' : 'overflow-x-auto',
          )}
          tabIndex={isWrapped ? undefined : 0}
        >
          <code>{code}</code>
        </pre>
        <CopyButton text={code} label="Copy" isIconOnly size="sm" variant="ghost" className="m-1" />
      </div>
    </figure>
  )
}
