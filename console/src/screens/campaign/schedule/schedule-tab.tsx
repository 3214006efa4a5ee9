import type { Campaign } from '@overture/sdk'
import { useMemo } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { DraftProblem, SaveBar, useDraft, useDraftSave } from '@/ui/draft.tsx'
import { Field, Form, Input, Switch } from '@/ui/field.tsx'
import { zoneWords } from '@/ui/format.ts'
import { Loaded } from '@/ui/loaded.tsx'
import { ZonePicker } from '@/ui/zone-picker.tsx'
import { savesCampaign, useMayChange, useThisCampaign, useVersionedSchedule, type VersionedSchedule } from '../data.ts'
import { CONFLICT_FIELDS, formatDays, formatWindow, problemsOf, toUpdate, toValues } from './schedule.ts'
import { WeekPicture, ZonesPicture } from './week-picture.tsx'
import { fromWall, toWall } from './zones.ts'

export function ScheduleTab() {
  const campaign = useThisCampaign()
  return (
    <Loaded query={useVersionedSchedule(campaign.id)} lines={8}>
      {saved => <ScheduleForm key={campaign.id} campaign={campaign} saved={saved} />}
    </Loaded>
  )
}

function ScheduleForm({ campaign, saved }: { campaign: Campaign; saved: VersionedSchedule }) {
  const { api } = useWorkspace()
  const savedValues = useMemo(() => toValues(saved.schedule), [saved.schedule])
  const draft = useDraft(savedValues, saved.version)
  const { value, set, conflict } = draft
  const problems = problemsOf(value)
  const isNew = saved.schedule.timezone === null
  const mayWrite = useMayChange(campaign)
  const save = useDraftSave(draft, {
    ...savesCampaign(campaign.id),
    send: (_, options) => api.campaigns.updateSchedule(campaign.id, toUpdate(value), { ...options, ifMatch: draft.version }),
    done: 'Schedule saved',
  })
  const update = toUpdate(value)
  return (
    <Form className="flex flex-col gap-5" onSubmit={() => save.run(value)}>
      <DraftProblem draft={draft} fields={CONFLICT_FIELDS} save={save} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card
          title="Sending window"
          description={`${formatDays(value.days)}, ${formatWindow(value.window)} ${value.useLeadTimezone ? "in each lead's time zone" : zoneWords(value.timezone)}`}
          actions={<CopyAs call={overture => overture.campaigns.updateSchedule(campaign.id, update, { ifMatch: draft.version })} />}
        >
          <WeekPicture
            values={value}
            disabled={!mayWrite}
            onToggle={day => set({ days: value.days.includes(day) ? value.days.filter(other => other !== day) : [...value.days, day] })}
          />
          {problems.days ? <p className="mt-2 text-bad text-xs">{problems.days}</p> : null}
          <div className="mt-5 grid grid-cols-2 gap-4 sm:grid-cols-[8rem_8rem_minmax(0,1fr)]">
            {(['start', 'end'] as const).map(name => (
              <Field key={name} label={name === 'start' ? 'From' : 'Until'} error={name === 'start' ? problems.window : null}>
                <Input
                  type="time"
                  value={value.window[name]}
                  disabled={!mayWrite}
                  onValueChange={typed => set({ window: { ...value.window, [name]: typed } })}
                />
              </Field>
            ))}
            <Field label="Time zone" className="max-sm:col-span-2">
              <ZonePicker disabled={!mayWrite} value={value.timezone} onChange={timezone => set({ timezone })} />
            </Field>
          </div>
        </Card>
        <div className="flex flex-col gap-5">
          <Card title="Dates" description={`In ${zoneWords(value.timezone)}`}>
            <div className="flex flex-col gap-4">
              {(['startDate', 'endDate'] as const).map(name => (
                <Field
                  key={name}
                  label={name === 'startDate' ? 'Start' : 'End'}
                  optional
                  error={problems[name]}
                  help={
                    name === 'startDate'
                      ? 'Leave empty to start when the campaign is activated.'
                      : 'Leave empty to run until all leads finish the sequence.'
                  }
                >
                  <span className="flex gap-2">
                    <Input
                      type="datetime-local"
                      value={value[name] ? toWall(value[name], value.timezone) : ''}
                      disabled={!mayWrite}
                      onValueChange={typed => set({ [name]: typed ? fromWall(typed, value.timezone) : null })}
                    />
                    {value[name] && mayWrite ? (
                      <Button
                        variant="ghost"
                        onClick={() => set({ [name]: null })}
                        label={`Remove the ${name === 'startDate' ? 'start' : 'end'} date`}
                      >
                        Remove
                      </Button>
                    ) : null}
                  </span>
                </Field>
              ))}
            </div>
          </Card>
        </div>
      </div>
      <Card title="Time zones of your leads" description="When the sending window opens for each lead">
        <Switch
          label="Send in the lead's time zone"
          help="If a lead has a time zone, Overture uses it for the sending window and for delays between steps."
          checked={value.useLeadTimezone}
          disabled={!mayWrite}
          onChange={useLeadTimezone => set({ useLeadTimezone })}
          className="mb-4"
        />
        <ZonesPicture campaignId={campaign.id} values={value} />
      </Card>
      {mayWrite ? (
        <SaveBar
          isDirty={draft.isDirty || isNew}
          isBlocked={conflict !== null || Object.keys(problems).length > 0}
          phase={save.phase}
          unsaved={draft.isDirty ? null : 'Suggested schedule. Not saved yet.'}
          onReset={draft.isDirty ? draft.reset : null}
          note={campaign.status === 'active' ? 'Applies immediately.' : null}
        >
          Save schedule
        </SaveBar>
      ) : null}
    </Form>
  )
}
