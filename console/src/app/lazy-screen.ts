import { lazyRouteComponent } from '@tanstack/react-router'
import { persistently } from '@/ui/persistently.ts'

/**
 * The code of a screen. Without a connection the screen that is open stays, with all that is typed in it, until the next one can be
 * loaded. The router would load the page again, which then shows nothing; it does so only when there is a new version.
 */
export const lazyScreen: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => persistently(load), name)
