import { tagged } from '../../http/route.ts'
import { isEmail } from '../../lib/email.ts'
import { invalid } from '../../lib/errors.ts'
import { accept, acceptedRoute } from '../../operations/writes.ts'
import { sealAddress } from './erasures.ts'
import { NewErasure } from './schema.ts'

export const erasureRoutes = tagged('Erasures', [
  acceptedRoute('POST', '/v1/workspaces/:workspaceId/erasures', {
    id: 'erasures.create',
    summary: 'Erase a person',
    about:
      'Removes all data that the workspace has about the person with this address: leads, messages, replies, and the personal data in events, exports and operations. A suppression stays, which recognizes the address by a keyed hash, and so do anonymous counts. The result counts the erased records. An address without any data is suppressed, too. Erasure cannot be undone.',
    scope: 'people:write',
    action: 'person.erase',
    cost: 'free',
    body: NewErasure,
    async handle(request) {
      const { ctx, body } = request
      const email = body.email.trim()
      if (!isEmail(email)) throw invalid('body', '/email', 'format', 'must be an email address')
      return accept(request, { input: sealAddress(ctx.secrets, request.params.workspaceId, email) })
    },
  }),
])
