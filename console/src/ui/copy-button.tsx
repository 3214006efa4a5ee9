import { useEffect, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'

/** Copies a text and says so. The clipboard is missing where the page came by plain http, so there is an older way, too. */
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

export interface CopyButtonProps extends Omit<ButtonProps, 'label' | 'icon' | 'children'> {
  text: string | (() => string)
  label: string
  /** Shows the icon alone. */
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
  const said = isCopied ? 'Copied' : label
  return <Button icon={isCopied ? CheckIcon : CopyIcon} onClick={copy} {...(isIconOnly ? { label: said } : { children: said })} {...rest} />
}
