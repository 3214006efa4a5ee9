import { about, DateTime, Links, namedObject, nameOf, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'
import { ROLES } from '../../lib/roles.ts'
import { Type } from '../../lib/type.ts'
import { SessionKey } from '../tokens/schema.ts'

const RoleName = oneOf(ROLES, {
  description:
    '`owner`: everything in the workspace. `admin`: the same, except deciding who is an owner. `member`: campaigns, leads and mailboxes. `viewer`: read access.',
  examples: ['member'],
})
const Code = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The code from the invitation link. It works once.',
  examples: ['0x8BIZaBwa14EyiFowRsWGYou'],
})

export const Member = namedObject('Member', {
  id: { ...Uuid, description: 'The id of the person.' },
  user: strict({
    id: Uuid,
    name: Type.String(),
    email: Type.String(),
    isProved: Type.Boolean({
      description:
        'Whether the address is known to be theirs. False for a person who accepted an invitation: the inviter wrote the address.',
    }),
  }),
  role: RoleName,
  joinedAt: about(DateTime, 'When the person joined.'),
  links: Links,
})

const invitation = { id: Uuid, email: Type.String(), role: RoleName, createdAt: DateTime, expiresAt: DateTime, links: Links }

export const Invitation = namedObject('Invitation', invitation)
export const IssuedInvitation = namedObject('IssuedInvitation', {
  ...invitation,
  code: nullable(Type.String({ description: 'Shown once, when it is created. Null when the creation is replayed.' })),
  url: nullable(
    Type.String({ format: 'uri', description: 'The link to send to the person. Overture does not send it. Shown once, like the code.' }),
  ),
})

export const NewInvitationBody = namedObject('NewInvitation', { email: Type.String({ format: 'email', maxLength: 254 }), role: RoleName })

export const AcceptBody = strict({ code: Code, name: nameOf(200) })
export const JoinBody = strict({ code: Code })
export const MemberPatch = namedObject('MemberPatch', { role: RoleName })

export const Joined = namedObject('Joined', {
  workspaceId: Uuid,
  member: Member,
  token: Type.String({ description: 'A personal token. It is shown only in this response. The session in the cookie acts as this token.' }),
  sessionKey: SessionKey,
})

export const InvitationResult = namedObject('InvitationResult', { invitation: about(IssuedInvitation, 'The invitation.') })
export const MemberResult = namedObject('MemberResult', { member: Member })
export const RemovedMember = namedObject('RemovedMember', { userId: about(Uuid, 'The person who was removed.') })
export const JoinResult = namedObject('JoinResult', { invitationId: about(Uuid, 'The accepted invitation.'), member: Member })
