import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from './app/router.tsx'
import { queries } from './data/queries.ts'
import { Toasts } from './ui/toast.tsx'
import './theme.css'

// The screen is loaded beside the question of who is signed in, and not after it.
const [matched] = router.getMatchedRoutes(location.pathname)
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
