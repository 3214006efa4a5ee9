import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../theme.css'
import { Reference } from './reference.tsx'

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Reference />
  </StrictMode>,
)
