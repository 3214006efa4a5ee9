import type { DiscoveredSettings } from '@overture/sdk'
import { optionsOf } from '@/ui/button.tsx'
import { Field, Input, Switch } from '@/ui/field.tsx'
import { Select } from '@/ui/select.tsx'

export type Servers = DiscoveredSettings['settings']
type Server = Servers['smtp']

const ENCRYPTION = optionsOf({ tls: 'TLS', starttls: 'STARTTLS' })

function ServerFields({ name, server, onChange }: { name: string; server: Server; onChange: (server: Server) => void }) {
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)_5.5rem] gap-3 sm:grid-cols-[minmax(0,1fr)_6rem_9rem]">
      <legend className="sr-only">{name}</legend>
      <Field label={`${name} server`}>
        <Input
          value={server.host}
          onValueChange={typed => onChange({ ...server, host: typed.trim() })}
          placeholder="mail.example.com"
          autoCapitalize="off"
        />
      </Field>
      <Field label={`${name} port`}>
        <Input
          value={server.port === 0 ? '' : String(server.port)}
          inputMode="numeric"
          onValueChange={typed => onChange({ ...server, port: Number(typed.replace(/\D/g, '').slice(0, 5)) })}
        />
      </Field>
      <Field label={`${name} encryption`} className="col-span-2 sm:col-span-1">
        <Select
          options={ENCRYPTION}
          value={server.secure ? 'tls' : 'starttls'}
          onChange={choice => onChange({ ...server, secure: choice === 'tls' })}
          className="w-full min-w-0!"
        />
      </Field>
    </fieldset>
  )
}

/** "mail.example.com:465 TLS". */
export const serverWords = ({ host, port, secure }: Server): string => `${host}:${port} ${secure ? 'TLS' : 'STARTTLS'}`

export const NO_SERVERS: Servers = { smtp: { host: '', port: 465, secure: true }, imap: { host: '', port: 993, secure: true } }

export function ServersForm({ servers, onChange }: { servers: Servers; onChange: (servers: Servers) => void }) {
  return (
    <div className="flex flex-col gap-4">
      <ServerFields name="SMTP" server={servers.smtp} onChange={smtp => onChange({ ...servers, smtp })} />
      {servers.imap ? <ServerFields name="IMAP" server={servers.imap} onChange={imap => onChange({ ...servers, imap })} /> : null}
      <Switch
        label="Read inbox"
        help="If off, Overture does not see replies and keeps sending to people who replied."
        checked={servers.imap !== null}
        onChange={isOn => onChange({ ...servers, imap: isOn ? NO_SERVERS.imap : null })}
      />
    </div>
  )
}
