import type { Context } from '../context/context.ts'
import type { Tx } from '../db/client.ts'

interface ApprovedOperation {
  id: string
  workspaceId: string
  key: string | null
}

type Check = (tx: Tx, ctx: Context, operation: ApprovedOperation & { key: string }) => Promise<void>

/**
 * Whether an approved request may still be carried out. It is asked in the transaction of the change, because what a person approved may
 * have changed while the operation was queued. Passed in, because plans are a slice.
 */
class Approvals {
  #check: Check | undefined

  use(check: Check): void {
    this.#check = check
  }

  async check(tx: Tx, ctx: Context, operation: ApprovedOperation): Promise<void> {
    const { key } = operation
    // Only approved requests have a key that begins like this.
    if (!key?.startsWith('§')) return
    if (!this.#check) throw new Error('this process cannot check approvals')
    await this.#check(tx, ctx, { ...operation, key })
  }
}

const makeApprovals = (): Approvals => new Approvals()
export const approvalsOf = (ctx: Pick<Context, 'part'>): Approvals => ctx.part(makeApprovals)
