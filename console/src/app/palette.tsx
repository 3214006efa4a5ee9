import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useState } from 'react'
import { useAnswer } from '@/data/use-answer.ts'
import { statusWords } from '@/ui/badge.tsx'
import { BookIcon, CampaignIcon, ClockIcon, type Icon, MoonIcon, PlusIcon, SearchIcon, SunIcon } from '@/ui/icons.tsx'
import { Kbd } from '@/ui/keyboard.tsx'
import { chooseExactTimes, useExactTimes } from '@/ui/time.tsx'
import { useClosing } from '@/ui/use-closing.ts'
import { SECTIONS } from './navigation.ts'
import { chooseTheme, useTheme } from './theme.tsx'

type Command = { id: string; label: string; words: string; icon: Icon; hint?: string; keys?: readonly string[]; act: () => void }
type Group = { value: string; items: Command[] }

/** Finds sections, actions and campaigns by name. */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { onOpenChange } = useClosing({ open, onClose })
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-50 bg-scrim transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Viewport className="fixed inset-0 z-50 flex items-start justify-center p-3 pt-[12vh]">
          <Dialog.Popup
            aria-label="Search and commands"
            className="popup flex max-h-[min(28rem,80dvh)] w-full max-w-xl flex-col overflow-hidden rounded-xl!"
          >
            <Commands onClose={onClose} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Commands({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const asked = useDeferredValue(typed.trim())
  const navigate = useNavigate()
  const { isDark } = useTheme()
  const isExact = useExactTimes()
  const { data: campaigns } = useAnswer(
    ['campaigns', 'palette', asked],
    async (api, options) => (await api.campaigns.list({ limit: 6, ...(asked ? { q: asked } : {}) }, options)).data,
    { placeholderData: keepPreviousData },
  )

  const groups = useMemo((): Group[] => {
    const sections = SECTIONS.map(
      ({ to, letter, ...section }): Command => ({ id: to, ...section, keys: ['g', letter], act: () => void navigate({ to }) }),
    )
    const actions: Command[] = [
      {
        id: 'new-campaign',
        label: 'New campaign',
        words: 'create add',
        icon: PlusIcon,
        act: () => void navigate({ to: '/campaigns', search: { new: '1' } }),
      },
      {
        id: 'theme',
        label: isDark ? 'Switch to light mode' : 'Switch to dark mode',
        words: 'theme color appearance',
        icon: isDark ? SunIcon : MoonIcon,
        act: () => chooseTheme(isDark ? 'light' : 'dark'),
      },
      {
        id: 'times',
        label: isExact ? 'Show relative times' : 'Show exact times',
        words: 'time date when clock',
        icon: ClockIcon,
        act: () => chooseExactTimes(!isExact),
      },
      { id: 'docs', label: 'API reference', words: 'documentation help', icon: BookIcon, act: () => location.assign('/docs') },
    ]
    const found = (campaigns ?? []).map(
      (campaign): Command => ({
        id: campaign.id,
        label: campaign.name,
        words: '',
        icon: CampaignIcon,
        hint: statusWords(campaign.status),
        act: () => void navigate({ to: '/campaigns/$campaignId', params: { campaignId: campaign.id } }),
      }),
    )
    const words = typed.toLowerCase().trim().split(/\s+/)
    const matching = (commands: Command[]) =>
      commands.filter(({ label, words: others }) => words.every(word => `${label} ${others}`.toLowerCase().includes(word)))
    return [
      { value: 'Go to', items: matching(sections) },
      { value: 'Actions', items: matching(actions) },
      { value: 'Campaigns', items: found },
    ].filter(({ items }) => items.length > 0)
  }, [typed, campaigns, isDark, isExact, navigate])

  return (
    <Autocomplete.Root open inline items={groups} filter={null} value={typed} onValueChange={setTyped} autoHighlight="always" keepHighlight>
      <div className="flex items-center gap-2.5 border-line border-b px-4">
        <SearchIcon className="shrink-0 text-faint" />
        <Autocomplete.Input
          aria-label="Search and commands"
          placeholder="Search pages and campaigns"
          className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-faint"
        />
        <Kbd>Esc</Kbd>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-1.5">
        <Autocomplete.Empty>
          <div className="px-3 py-8 text-center text-faint">No matches for “{typed}”.</div>
        </Autocomplete.Empty>
        <Autocomplete.List>
          {(group: Group) => (
            <Autocomplete.Group key={group.value} items={group.items} className="mb-1">
              <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 font-medium text-faint text-xs">{group.value}</Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(command: Command) => (
                  <Autocomplete.Item
                    key={command.id}
                    value={command}
                    className="popup-item min-h-9"
                    onClick={() => {
                      onClose()
                      command.act()
                    }}
                  >
                    <command.icon className="shrink-0 text-faint" />
                    <span className="min-w-0 flex-1 truncate">{command.label}</span>
                    {command.hint ? <span className="text-faint text-xs">{command.hint}</span> : null}
                    {command.keys ? (
                      <span className="hidden gap-0.5 sm:flex">
                        {command.keys.map(key => (
                          <Kbd key={key}>{key}</Kbd>
                        ))}
                      </span>
                    ) : null}
                  </Autocomplete.Item>
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
      </div>
    </Autocomplete.Root>
  )
}
