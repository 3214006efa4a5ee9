import './theme.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router, shellRoute } from './app/routes.ts'
import { queries } from './data/queries.ts'
import { sessionQuery } from './data/session.ts'
import { Toasts } from './ui/toast.tsx'

// The session is requested first, and the screen loads in parallel.
const [matched] = router.getMatchedRoutes(location.pathname)
if (matched.some(({ id }) => id === shellRoute.id)) void queries.prefetchQuery(sessionQuery)
for (const route of matched) void router.loadRouteChunk(route)

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      {/* Our policy allows no style elements; what they would say is in theme.css. */}
      <CSPProvider disableStyleElements>
        <RouterProvider router={router} />
      </CSPProvider>
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
)
