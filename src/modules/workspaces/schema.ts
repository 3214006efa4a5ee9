import Type, { type Static } from 'typebox'
import { DateTime, Links, named, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'

const rules = {
  contactedElsewhereWithinDays: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      description:
        'A first message waits until no other campaign of the workspace has written to the person for so many days. Null: never.',
    }),
  ),
  inOtherActiveCampaign: oneOf(['allow', 'hold'], {
    description:
      '`hold`: a person who is in several active campaigns is written to by one of them at a time: the one that has written before, or else the one that the person was added to first.',
  }),
  companyReplied: oneOf(['ignore', 'pause', 'stop'], {
    description:
      'What becomes of everybody else with the same domain once somebody there has answered, in whichever campaign: `pause` holds them back, `stop` skips them. Providers of personal mailboxes, such as gmail.com, are no company.',
  }),
  maxPerCompanyAtOnce: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'How many people of one company may be in a sequence at a time, in all campaigns. Null: any number.',
    }),
  ),
}

/** What is said at one place; the rest is decided elsewhere. */
export const ContactOverrides = named(
  'ContactOverrides',
  strict({
    contactedElsewhereWithinDays: Type.Optional(rules.contactedElsewhereWithinDays),
    inOtherActiveCampaign: Type.Optional(rules.inOtherActiveCampaign),
    companyReplied: Type.Optional(rules.companyReplied),
    maxPerCompanyAtOnce: Type.Optional(rules.maxPerCompanyAtOnce),
  }),
)
export type ContactOverrides = Static<typeof ContactOverrides>

export const ContactRules = named('ContactRules', strict(rules))

const DomainHealthRule = oneOf(['warn', 'require'], {
  description:
    'Whether a campaign may start from a mailbox whose domain failed its last check: `warn` only says so; `require` lets none start with a domain that fails or was never checked.',
})
export type DomainHealthRule = Static<typeof DomainHealthRule>

const Line = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })
const OptOutLine = strict({
  link: Type.Optional({ ...Line, description: 'Stands before the link.' }),
  reply: Type.Optional({ ...Line, description: 'Asks for an answer, in campaigns whose `unsubscribe` is `reply-line`.' }),
})

const OptOutLines = named(
  'OptOutLines',
  strict(
    { en: Type.Optional(OptOutLine), de: Type.Optional(OptOutLine), fr: Type.Optional(OptOutLine), es: Type.Optional(OptOutLine) },
    {
      description:
        'How recipients are told to leave, in the language of the lead: used by campaigns without an `optOutText` of their own. What is left out is a sentence of ours.',
    },
  ),
)
export type OptOutLines = Static<typeof OptOutLines>

export const WorkspaceSettings = named(
  'WorkspaceSettings',
  strict({
    workspaceId: Uuid,
    contactRules: ContactRules,
    domainHealth: DomainHealthRule,
    optOutLines: OptOutLines,
    updatedAt: DateTime,
    links: Links,
  }),
)

export const WorkspaceSettingsResult = named('WorkspaceSettingsResult', strict({ settings: WorkspaceSettings }))

export const WorkspaceSettingsUpdate = named(
  'WorkspaceSettingsUpdate',
  strict({
    contactRules: Type.Optional({ ...ContactOverrides, description: 'Replaces all of them; a rule that is left out is off.' }),
    domainHealth: Type.Optional(DomainHealthRule),
    optOutLines: Type.Optional({ ...OptOutLines, description: 'Replaces all of them.' }),
  }),
)
export type WorkspaceSettingsUpdate = Static<typeof WorkspaceSettingsUpdate>
