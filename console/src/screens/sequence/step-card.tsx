import type { Lead } from '@overture/sdk'
import { issueFor } from '@/api/errors.ts'
import { sentence } from '@/data/field-words.ts'
import { useReadiness, useThisCampaign } from '@/screens/campaign/data.ts'
import { LeadLink } from '@/screens/campaign/lead-link.tsx'
import { readableAddress } from '@/ui/address.ts'
import { Badge } from '@/ui/badge.tsx'
import { Button, Segmented } from '@/ui/button.tsx'
import { cx } from '@/ui/cx.ts'
import { Input } from '@/ui/field.tsx'
import { readable } from '@/ui/format.ts'
import { AlertIcon, ChevronDownIcon, MoreIcon, PlusIcon, TrashIcon } from '@/ui/icons.tsx'
import { Menu } from '@/ui/menu.tsx'
import { type DraftStep, LETTERS, MOST_VARIANTS, shareOf } from './steps.ts'
import { VariantEditor } from './variant-editor.tsx'

interface StepCardProps {
  campaignId: string
  index: number
  count: number
  step: DraftStep
  isOpen: boolean
  variant: number
  isEditable: boolean
  leads: readonly Lead[]
  error: Error | null
  /** Opens the step, or one of its variants if it is already open. */
  onSelect: (variant?: number) => void
  /** Null removes it. */
  onChange: (step: DraftStep | null) => void
  onMove: (by: 1 | -1) => void
}

/** One step. Only the step of the preview is open. */
export function StepCard(props: StepCardProps) {
  const { campaignId, index, count, step, isOpen, variant, isEditable, leads, error, onSelect, onChange, onMove } = props
  const shown = step.variants[variant]!
  const at = `steps/${index}/variants/${variant}`
  const setVariants = (variants: DraftStep['variants']) => onChange({ ...step, variants })
  const addVariant = () => {
    setVariants([...step.variants, { ...shown }])
    onSelect(step.variants.length)
  }
  return (
    <section
      aria-label={`Step ${index + 1}`}
      className={cx('rounded-xl border bg-panel shadow-low', isOpen ? 'border-line-strong' : 'border-line')}
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
        <h2 className="font-semibold text-base">
          <button type="button" aria-expanded={isOpen} onClick={() => onSelect()} className="rounded">
            Step {index + 1}
          </button>
        </h2>
        {index === 0 ? (
          <span className="text-faint">as soon as possible</span>
        ) : (
          <span className="flex items-center gap-1.5 text-faint">
            <Input
              type="number"
              min={0}
              max={90}
              aria-label={`Delay of step ${index + 1} in business days`}
              className="h-7 w-14 text-center"
              value={String(step.delayDays)}
              disabled={!isEditable}
              onChange={event => onChange({ ...step, delayDays: Math.min(90, Math.max(0, Math.round(Number(event.target.value)) || 0)) })}
            />
            business {step.delayDays === 1 ? 'day' : 'days'} later
          </span>
        )}
        {isOpen || step.variants.length === 1 ? null : <Badge>{step.variants.length} variants</Badge>}
        <div className="ml-auto flex items-center">
          {isEditable ? (
            <Menu
              trigger={<Button size="sm" variant="ghost" icon={MoreIcon} label={`More actions for step ${index + 1}`} />}
              entries={[
                { label: 'Move up', onSelect: () => onMove(-1), disabled: index === 0 },
                { label: 'Move down', onSelect: () => onMove(1), disabled: index === count - 1 },
                { label: 'Add variant', icon: PlusIcon, onSelect: addVariant, disabled: step.variants.length >= MOST_VARIANTS },
                null,
                { label: 'Remove step', icon: TrashIcon, isDangerous: true, onSelect: () => onChange(null) },
              ]}
            />
          ) : null}
          <Button
            size="sm"
            variant="ghost"
            icon={ChevronDownIcon}
            label={isOpen ? `Step ${index + 1} is open` : `Open step ${index + 1}`}
            className={isOpen ? 'invisible' : ''}
            onClick={() => onSelect()}
          />
        </div>
      </header>
      {isOpen ? (
        <div className="flex flex-col gap-3 border-line border-t p-4">
          {step.variants.length > 1 ? (
            <VariantTabs step={step} chosen={variant} isEditable={isEditable} onChoose={onSelect} onChange={setVariants} />
          ) : null}
          <VariantEditor
            key={variant}
            variant={shown}
            isFirstStep={index === 0}
            isEditable={isEditable}
            leads={leads}
            subjectError={issueFor(error, `${at}/subject`)}
            bodyError={issueFor(error, `${at}/body`)}
            onChange={next => setVariants(step.variants.map((each, number) => (number === variant ? next : each)))}
          />
          <StepWarnings campaignId={campaignId} index={index} />
        </div>
      ) : (
        <button type="button" onClick={() => onSelect()} className="block w-full px-4 pb-3 text-left">
          <span className="block truncate">{shown.subject || (index > 0 ? 'Same thread' : 'No subject yet')}</span>
          <span className="block truncate text-faint text-xs">{shown.body.replace(/<[^>]*>|\s+/g, ' ').trim() || 'No text yet'}</span>
        </button>
      )}
    </section>
  )
}

interface VariantTabsProps {
  step: DraftStep
  chosen: number
  isEditable: boolean
  onChoose: (variant: number) => void
  onChange: (variants: DraftStep['variants']) => void
}

/** Selects a variant, and changes its share or removes it. */
function VariantTabs({ step, chosen, isEditable, onChoose, onChange }: VariantTabsProps) {
  const { weight } = step.variants[chosen]!
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segmented
        label="Variants"
        options={step.variants.map((_, index) => ({ value: String(index), label: `${LETTERS[index]} ${shareOf(step, index)}%` }))}
        value={String(chosen)}
        onChange={variant => onChoose(Number(variant))}
      />
      <span className="flex items-center gap-1.5 text-faint text-xs">
        Weight
        <Input
          type="number"
          min={1}
          max={100}
          aria-label={`Weight of variant ${LETTERS[chosen]}`}
          className="h-7 w-14 text-center"
          value={String(weight)}
          disabled={!isEditable}
          onChange={event => {
            const next = Math.min(100, Math.max(1, Math.round(Number(event.target.value)) || 1))
            onChange(step.variants.map((each, index) => (index === chosen ? { ...each, weight: next } : each)))
          }}
        />
      </span>
      {isEditable ? (
        <Button
          size="sm"
          variant="ghost"
          icon={TrashIcon}
          label={`Remove variant ${LETTERS[chosen]}`}
          onClick={() => {
            onChange(step.variants.filter((_, index) => index !== chosen))
            onChoose(Math.max(0, chosen - 1))
          }}
        />
      ) : null}
    </div>
  )
}

/** Why leads would not receive the saved step, with their number and some examples. */
function StepWarnings({ campaignId, index }: { campaignId: string; index: number }) {
  const { data } = useReadiness(useThisCampaign())
  const mine = new RegExp(`^Step ${index + 1}\\b:?\\s*`)
  const warnings = data?.warnings.filter(({ message }) => mine.test(message)) ?? []
  if (warnings.length === 0) return null
  return (
    <ul aria-label="Problems of this step" className="flex flex-col gap-2">
      {warnings.map(({ rule, message, count, examples }) => (
        <li key={rule + message} className="flex items-start gap-2 rounded-lg bg-warn-wash px-3 py-2 text-warn">
          <AlertIcon className="mt-0.5 shrink-0" />
          <div className="min-w-0">
            <p>{sentence(readable(message.replace(mine, '')))}</p>
            {examples.length > 0 ? (
              <p className="mt-0.5 flex flex-wrap gap-x-2 text-xs">
                {examples.map(({ leadId, email }) => (
                  <LeadLink key={leadId} campaignId={campaignId} leadId={leadId}>
                    {readableAddress(email)}
                  </LeadLink>
                ))}
                {count > examples.length ? <span>and {count - examples.length} more</span> : null}
              </p>
            ) : null}
          </div>
        </li>
      ))}
    </ul>
  )
}
