import { type ComponentType, createElement, lazy, Suspense } from 'react'
import { Button } from './button.tsx'
import { persistently } from './persistently.ts'
import { toast } from './toast.tsx'
import { whenIdle } from './when-idle.ts'

/** After the data of the screen has come and is drawn. */
const LATER_MS = 2000

/**
 * A dialog, or whatever else a screen does not show at first. It is loaded when there is time, so that it opens at once and also where the
 * connection was lost meanwhile; asked for before that, it opens as soon as it can be loaded. The screen around it stays in any case.
 */
export function lazyCode<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let begun: Promise<{ default: ComponentType<Props> }> | undefined
  const begin = () => {
    begun ??= load().then(part => ({ default: part }))
    // What could not be loaded is tried again when it is asked for.
    begun.catch(() => {
      begun = undefined
    })
    return begun
  }
  const beginEarly = () => whenIdle(() => void begin().catch(() => addEventListener('online', beginEarly, { once: true })))
  setTimeout(beginEarly, LATER_MS)
  return lazy(() => persistently(begin).catch(tellOfVersion))
}

/** The same where nothing is shown in its place until it is loaded. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Part = lazyCode(load)
  return (props: Props) => createElement(Suspense, null, createElement(Part as ComponentType<Props>, props))
}

/** Its file is gone. What is on the screen still works, so that it can be saved first. */
function tellOfVersion(): Promise<never> {
  toast.failed(
    'There is a new version of the console',
    createElement(Button, { size: 'sm', className: 'mt-1', onClick: () => location.reload() }, 'Load the page again'),
  )
  return new Promise(() => undefined)
}
