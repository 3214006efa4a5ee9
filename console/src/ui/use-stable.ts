import { useRef, useState } from 'react'

/** Functions that stay the same, and do what the latest ones do: a part that gets them is not drawn again because of them. */
export function useStable<Functions extends Readonly<Record<string, (...given: never[]) => void>>>(functions: Functions): Functions {
  const latest = useRef(functions)
  latest.current = functions
  const [stable] = useState(() =>
    Object.fromEntries(Object.keys(functions).map(name => [name, (...given: never[]) => latest.current[name]!(...given)])),
  )
  return stable as Functions
}
