import { useCallback, useRef } from 'react'
import { post } from '@/api/client'
import type { FormLoad } from '@/api/types'
import type { RecordController } from '../record/use-record'
import { changesOf } from '../rules/values'
import type { AskWhy } from './context'

/** What a save of the form would send now. */
export const unsavedOf = (load: FormLoad, record: Pick<RecordController, 'base' | 'values'>) =>
  changesOf(load.id === null ? {} : record.base, record.values, load.form.fields)

/** Asks about the record as it is in the form, whatever was typed since the last time. */
export function useAskWhy(load: FormLoad, record: RecordController): AskWhy {
  const latest = useRef({ load, record })
  latest.current = { load, record }
  return useCallback((propertyCode, signal) => {
    const { load, record } = latest.current
    const { schemaCode, sheetCode } = load.form
    const at = load.id === null ? {} : { id: load.id }
    return post(
      '/api/runtime/form/explain',
      { schemaCode, sheetCode, ...at, data: unsavedOf(load, record), propertyCode },
      { signal },
    )
  }, [])
}
