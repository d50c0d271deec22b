import { type RefObject, useState } from 'react'
import type { Submit } from '../record/record-form'

/**
 * What submits a form. Its bar is there before its fields are when a part of them is still on its way; a press of that time is not lost: it
 * counts when the fields have come.
 */
export function useSubmit(): RefObject<Submit | null> & { submit: (unchecked?: boolean) => void } {
  const [form] = useState(() => {
    let fields: Submit | null = null
    let asked: (() => void) | null = null
    return {
      get current() {
        return fields
      },
      set current(next: Submit | null) {
        fields = next
        if (!next || !asked) return
        const go = asked
        asked = null
        setTimeout(go)
      },
      submit: (unchecked?: boolean) => {
        if (fields) fields.submit(unchecked)
        else asked = () => fields?.submit(unchecked)
      },
    }
  })
  return form
}
