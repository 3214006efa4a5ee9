import fc from 'fast-check'
import { seed } from './full.ts'

// The runner loads this before every test file.
fc.configureGlobal({ seed })
