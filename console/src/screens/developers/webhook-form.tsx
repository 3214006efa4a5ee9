import type { NewWebhookEndpoint, WebhookEndpoint, WebhookEndpointWithSecret } from '@overture/sdk'
import { useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { EVENT_TYPES, eventWords } from '@/data/words.ts'
import { FormDialog } from '@/ui/dialog.tsx'
import { Checkbox, Field, Input, Switch } from '@/ui/field.tsx'

interface WebhookFormProps {
  /** The endpoint to edit. Without it, the form creates a new one. */
  endpoint?: WebhookEndpoint
  onClose: () => void
  onCreated?: (endpoint: WebhookEndpointWithSecret) => void
}

export function WebhookForm({ endpoint, onClose, onCreated }: WebhookFormProps) {
  const { api } = useWorkspace()
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [isAll, setAll] = useState(endpoint ? endpoint.events.includes('*') : true)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(endpoint?.events.filter(type => type !== '*')))
  const touches = [['webhooks']]
  const create = useOperation({
    send: (body: NewWebhookEndpoint, { idempotencyKey }) => api.webhooks.create(body, { idempotencyKey }),
    once: 'create webhook',
    touches,
    onDone: made => onCreated?.(made),
  })
  const update = useOperation({
    send: (body: NewWebhookEndpoint, { idempotencyKey }) => api.webhooks.update(endpoint!.id, body, { idempotencyKey }),
    touches,
    done: 'Endpoint saved',
    onDone: onClose,
  })
  const operation = endpoint ? update : create
  const events: NewWebhookEndpoint['events'] = isAll ? ['*'] : EVENT_TYPES.filter(type => chosen.has(type))
  const body: NewWebhookEndpoint = { url: url.trim(), events, description: description.trim() || null }
  const urlIssue = issueFor(operation.error, 'url')
  const toggle = (type: (typeof EVENT_TYPES)[number]) => (isOn: boolean) =>
    setChosen(before => new Set(isOn ? [...before, type] : [...before].filter(other => other !== type)))
  return (
    <FormDialog
      onClose={onClose}
      title={endpoint ? 'Edit endpoint' : 'New endpoint'}
      verb={endpoint ? 'Save endpoint' : 'Create endpoint'}
      operation={operation}
      isComplete={url.trim() !== '' && events.length > 0}
      onSubmit={() => void operation.run(body)}
      issue={urlIssue}
      call={overture => (endpoint ? overture.webhooks.update(endpoint.id, body) : overture.webhooks.create(body))}
      className="flex flex-col gap-5"
    >
      <Field label="URL" error={urlIssue} help="Must use https and be reachable from the internet.">
        <Input type="url" value={url} onChange={event => setUrl(event.target.value)} placeholder="https://example.com/overture" autoFocus />
      </Field>
      <Field label="Description" optional>
        <Input value={description} onChange={event => setDescription(event.target.value)} maxLength={500} placeholder="CRM sync" />
      </Field>
      <Switch label="All events" help="Includes event types added later." checked={isAll} onChange={setAll} />
      {isAll ? null : (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 font-medium text-sm">Events</legend>
          <div className="grid gap-2 sm:grid-cols-2">
            {EVENT_TYPES.map(type => (
              <Checkbox
                key={type}
                label={<code className="font-mono text-xs">{type}</code>}
                help={eventWords(type)}
                checked={chosen.has(type)}
                onChange={toggle(type)}
              />
            ))}
          </div>
        </fieldset>
      )}
    </FormDialog>
  )
}
