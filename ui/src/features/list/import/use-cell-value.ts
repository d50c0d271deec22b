import { useEffect, useState } from 'react'
import type { FormField } from '@/api/types'
import { useTextContext } from '@/sdk/system'
import type { CellInput } from './api'
import { valueIn } from './correction'

/** The value that the control of a cell shows: what the cell began with, then what the control says. */
export function useCellValue(begun: CellInput, field: FormField) {
  const context = useTextContext()
  const [state, setState] = useState<{ value: unknown } | null>(() => {
    const value = valueIn(begun, field, context)
    return value instanceof Promise ? null : { value }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the cell began with is read once
  useEffect(() => {
    if (state) return
    let gone = false
    void Promise.resolve(valueIn(begun, field, context)).then((value) => !gone && setState({ value }))
    return () => {
      gone = true
    }
  }, [])
  return {
    ready: state !== null,
    value: state?.value ?? null,
    set: (value: unknown) => setState({ value }),
  }
}
