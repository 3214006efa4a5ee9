import { ROLES } from '../../http/access.ts'
import { DateTime, Links, named, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'
import { Type } from '../../lib/type.ts'

const RoleName = oneOf(ROLES, {
  description:
    '`owner`: everything. `admin`: everything except granting credits. `member`: campaigns, leads and mailboxes. `viewer`: read access.',
})
const Code = Type.String({ minLength: 1, maxLength: 200, description: 'The code from the invitation link. It works once.' })

export const Member = named(
  'Member',
  strict({
    id: { ...Uuid, description: 'The id of the person.' },
    user: strict({ id: Uuid, name: Type.String(), email: Type.String() }),
    role: RoleName,
    joinedAt: DateTime,
    links: Links,
  }),
)

const invitation = { id: Uuid, email: Type.String(), role: RoleName, createdAt: DateTime, expiresAt: DateTime, links: Links }

export const Invitation = named('Invitation', strict(invitation))
export const IssuedInvitation = named(
  'IssuedInvitation',
  strict({
    ...invitation,
    code: nullable(Type.String({ description: 'Shown once, when it is created. Null when the creation is replayed.' })),
    url: nullable(
      Type.String({ format: 'uri', description: 'The link to send to the person. Overture does not send it. Shown once, like the code.' }),
    ),
  }),
)

export const NewInvitationBody = named('NewInvitation', strict({ email: Type.String({ format: 'email', maxLength: 254 }), role: RoleName }))

export const AcceptBody = strict({ code: Code, name: Type.String({ minLength: 1, maxLength: 200 }) })
export const JoinBody = strict({ code: Code })
export const MemberPatch = named('MemberPatch', strict({ role: RoleName }))

export const Joined = named(
  'Joined',
  strict({
    workspaceId: Uuid,
    member: Member,
    token: Type.String({ description: 'A personal token. It is shown only in this answer. The session in the cookie acts as this token.' }),
  }),
)

export const InvitationResult = named('InvitationResult', strict({ invitation: IssuedInvitation }))
export const MemberResult = named('MemberResult', strict({ member: Member }))
export const RemovedMember = named('RemovedMember', strict({ userId: Uuid }))
export const JoinResult = named('JoinResult', strict({ invitationId: Uuid, member: Member }))
