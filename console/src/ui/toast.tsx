import { Toast as Base } from '@base-ui/react/toast'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { AlertIcon, CheckIcon, CloseIcon } from './icons.tsx'

const manager = Base.createToastManager()

/** Says that something is done, for a few seconds. Errors belong where they arose; say them here only when that place is gone. */
export const toast = {
  done: (title: string, description?: ReactNode): void => void manager.add({ title, description, type: 'done', timeout: 4000 }),
  failed: (title: string, description?: ReactNode): void =>
    void manager.add({ title, description, type: 'failed', timeout: 10_000, priority: 'high' }),
}

function Toasts() {
  const { toasts } = Base.useToastManager()
  return toasts.map(one => (
    <Base.Root
      key={one.id}
      toast={one}
      swipeDirection={['right', 'down']}
      className="popup flex items-start gap-2.5 p-3 transition duration-200 ease-calm data-starting-style:translate-y-3"
    >
      <span className={cx('mt-0.5', one.type === 'failed' ? 'text-bad' : 'text-good')}>
        {one.type === 'failed' ? <AlertIcon /> : <CheckIcon />}
      </span>
      <Base.Content className="min-w-0 flex-1">
        <Base.Title className="font-medium text-sm" />
        <Base.Description className="text-soft text-xs" />
      </Base.Content>
      <Base.Close aria-label="Dismiss" className="rounded p-0.5 text-faint hover:text-ink">
        <CloseIcon width={14} height={14} />
      </Base.Close>
    </Base.Root>
  ))
}

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Base.Provider toastManager={manager} limit={4}>
      {children}
      <Base.Portal>
        <Base.Viewport className="fixed right-4 bottom-4 z-60 flex w-[min(22rem,calc(100vw-2rem))] flex-col gap-2">
          <Toasts />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}
