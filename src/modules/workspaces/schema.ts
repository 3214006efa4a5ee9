import { about, DateTime, Links, NOT_BLANK, namedObject, nameOf, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'
import { type Static, Type } from '../../lib/type.ts'

export const Workspace = namedObject('Workspace', { id: Uuid, name: Type.String(), createdAt: DateTime, updatedAt: DateTime, links: Links })
export const WorkspaceResult = namedObject('WorkspaceResult', { workspace: about(Workspace, 'The workspace.') })
export const NewWorkspace = strict({ name: nameOf(200) })

const rules = {
  contactedElsewhereWithinDays: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      description:
        'A first message waits until no other campaign of the workspace has emailed the person for this many days. Null: it does not wait.',
    }),
  ),
  inOtherActiveCampaign: oneOf(['allow', 'hold'], {
    description:
      '`hold`: if a person is in several active campaigns, only one of them emails the person at a time. That is the campaign that has emailed the person before, or else the one to which the person was added first.',
  }),
  companyReplied: oneOf(['ignore', 'pause', 'stop'], {
    description:
      'The rule for other leads with the same domain after one of them has replied in any campaign: `pause` holds them, `stop` skips them. Providers of personal mailboxes, such as gmail.com, do not count as a company.',
  }),
  maxPerCompanyAtOnce: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'The maximum number of people of one company in a sequence at the same time, across all campaigns. Null: no limit.',
    }),
  ),
}

/** The rules that are set at one level; the others come from the other level. */
export const ContactOverrides = namedObject('ContactOverrides', {
  contactedElsewhereWithinDays: Type.Optional(rules.contactedElsewhereWithinDays),
  inOtherActiveCampaign: Type.Optional(rules.inOtherActiveCampaign),
  companyReplied: Type.Optional(rules.companyReplied),
  maxPerCompanyAtOnce: Type.Optional(rules.maxPerCompanyAtOnce),
})
export type ContactOverrides = Static<typeof ContactOverrides>

export const ContactRules = namedObject('ContactRules', rules)

const DomainHealthRule = oneOf(['warn', 'require'], {
  description:
    'Whether a campaign may start from a mailbox whose domain failed its last check. `warn`: it may, with a warning. `require`: no campaign may start with a domain that fails or was never checked.',
})
export type DomainHealthRule = Static<typeof DomainHealthRule>

const Line = Type.String({ minLength: 1, maxLength: 500, format: NOT_BLANK })
const OptOutLine = strict({
  link: Type.Optional({ ...Line, description: 'The sentence before the link.' }),
  reply: Type.Optional({ ...Line, description: 'The sentence that asks for a reply, in campaigns whose `unsubscribe` is `reply-line`.' }),
})

const OptOutLines = namedObject(
  'OptOutLines',
  {
    en: Type.Optional(about(OptOutLine, 'English.')),
    de: Type.Optional(about(OptOutLine, 'German.')),
    fr: Type.Optional(about(OptOutLine, 'French.')),
    es: Type.Optional(about(OptOutLine, 'Spanish.')),
  },
  {
    description:
      'The sentences that explain how to unsubscribe, by language of the lead. Campaigns without an `optOutText` use them. A built-in sentence replaces every sentence that is missing.',
  },
)
export type OptOutLines = Static<typeof OptOutLines>

export const WorkspaceSettings = namedObject('WorkspaceSettings', {
  workspaceId: Uuid,
  contactRules: about(ContactRules, 'The rules for all campaigns; each campaign can override them.'),
  domainHealth: DomainHealthRule,
  optOutLines: OptOutLines,
  updatedAt: about(DateTime, 'When they were last changed. A change needs it as `if-match`.'),
  links: Links,
})

export const WorkspaceSettingsResult = namedObject('WorkspaceSettingsResult', { settings: WorkspaceSettings })

export const WorkspaceSettingsUpdate = namedObject(
  'WorkspaceSettingsUpdate',
  {
    contactRules: Type.Optional({ ...ContactOverrides, description: 'Replaces all rules. A rule that you leave out is off.' }),
    domainHealth: Type.Optional(DomainHealthRule),
    optOutLines: Type.Optional({ ...OptOutLines, description: 'Replaces all of them.' }),
  },
  { examples: [{ contactRules: { contactedElsewhereWithinDays: 30, companyReplied: 'pause' } }] },
)
export type WorkspaceSettingsUpdate = Static<typeof WorkspaceSettingsUpdate>
