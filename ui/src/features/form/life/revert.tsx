import { useQuery } from '@tanstack/react-query'
import { App } from 'antd'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { FormLoad } from '@/api/types'
import { useErrorText } from '@/sdk/error-text'
import { useText } from '@/sdk/use-text'
import type { RecordController } from '../record/use-record'
import { changesOf, withoutEmpty } from '../rules/values'
import { earlierQuery } from './api'
import { revertedValues } from './revert-values'

/** Fills an earlier version into the form that is being edited, once; the person sees the changes and saves them. */
export function Revert({ load, record, version }: { load: FormLoad; record: RecordController; version: number }) {
  const t = useText()
  const { message } = App.useApp()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const location = useLocation()
  const { schemaCode, sheetCode } = load.form
  const earlier = useQuery(earlierQuery(schemaCode, sheetCode, load.id ?? '', { version }))
  const filled = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is filled in once
  useEffect(() => {
    if (filled.current || earlier.isFetching || (!earlier.data && !earlier.error)) return
    filled.current = true
    // First, while nothing is unsaved: a page that is loaded again shall not fill it in again.
    const query = new URLSearchParams(location.search)
    query.delete('revert')
    navigate(`${location.pathname}?${query}`, { replace: true, state: location.state })
    if (!earlier.data) {
      void message.error(errorText(earlier.error))
      return
    }
    const next = revertedValues(load.form.fields, record.base, withoutEmpty(earlier.data.data))
    const count = Object.keys(changesOf(record.base, next, load.form.fields)).length
    if (count === 0) {
      void message.info(t('life.revertNothing', { version }))
      return
    }
    record.change(next)
    void message.info(t('life.reverted', { version, count }), 6)
  }, [earlier.data, earlier.error, earlier.isFetching])
  return null
}
