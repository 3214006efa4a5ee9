import hooks, { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'
import fc from 'fast-check'
import { seed } from './full.ts'

// The runner loads this before every test file.
fc.configureGlobal({ seed })

/**
 * To know which test has caused an error, the runner hooks into every promise, and each `await` of the service takes ten times as long. An
 * `AsyncLocalStorage` knows the test for almost nothing, so the runner gets its number from there, and hooks into everything except promises.
 */
const { createHook, executionAsyncId } = hooks
const currentTest = new AsyncLocalStorage<number>()
tracingChannel('node.test').start.bindStore(currentTest, executionAsyncId)
hooks.executionAsyncId = () => currentTest.getStore() ?? executionAsyncId()
hooks.createHook = ({ init, ...others }) =>
  createHook({
    ...others,
    init: (id, type, trigger, resource) => init!(id, type, currentTest.getStore() ?? trigger, resource),
    trackPromises: false,
  })
// It keeps these two functions when it is loaded.
await import('node:test')
Object.assign(hooks, { createHook, executionAsyncId })
