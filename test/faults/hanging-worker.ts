import { buildContext } from '../../src/app/build-context.ts'
import { registry } from '../../src/app/routes.ts'
import { loadConfig } from '../../src/context/config.ts'
import { announceOperation } from '../../src/modules/operations/operations.ts'
import { register } from '../../src/operations/registry.ts'
import { OperationRunner } from '../../src/operations/runner.ts'
import { WorkerIdentity } from '../../src/queue/identity.ts'

/** A worker that takes one operation and never gets done with it: it is there to be killed. */
const config = loadConfig(process.env)
const ctx = buildContext({ config, databaseUrl: config.databaseUrl, secretKey: Buffer.from(config.secretKey, 'base64') }) // it seals nothing
register(ctx, registry)
const identity = new WorkerIdentity(ctx.db, ctx.log)
const runner = new OperationRunner(
  ctx,
  {
    'campaign.duplicate': {
      kind: 'outside',
      run(_ctx, operation) {
        console.log(`took ${operation.id} as ${operation.attempts}`)
        return new Promise(() => {})
      },
    },
  },
  announceOperation,
  identity,
)
runner.start()
