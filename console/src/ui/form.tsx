import type { FormHTMLAttributes, Ref } from 'react'

interface FormProps extends Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> {
  onSubmit: () => unknown
  ref?: Ref<HTMLFormElement>
}

/** A form that the page sends, and not the browser. One in a dialog may stand within another form, which is not sent with it. */
export function Form({ onSubmit, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      onSubmit={event => {
        event.preventDefault()
        event.stopPropagation()
        void onSubmit()
      }}
    />
  )
}
