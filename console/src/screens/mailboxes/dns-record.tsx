import { CopyButton } from '@/ui/copy-button.tsx'

export type DnsRecordProps = { record: { type: string; name: string; value: string } }

/** A record to publish, as the forms of DNS hosters ask for it. */
export function DnsRecord({ record }: DnsRecordProps) {
  const { type, name, value } = record
  return (
    <figure className="mt-2 overflow-hidden rounded-lg border border-line bg-sunken">
      <figcaption className="flex items-center justify-between gap-3 border-line border-b px-3 py-1.5">
        <span className="text-soft text-xs">
          Publish this <span className="font-medium text-ink">{type}</span> record
        </span>
        <CopyButton text={value} label="Copy value" size="sm" variant="ghost" />
      </figcaption>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 px-3 py-2 text-xs">
        <dt className="text-faint">Name</dt>
        <dd className="min-w-0 break-all font-mono">{name}</dd>
        <dt className="text-faint">Value</dt>
        <dd className="min-w-0 break-all font-mono">{value}</dd>
      </dl>
    </figure>
  )
}
