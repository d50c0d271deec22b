import { useEffect, useMemo, useRef } from 'react'
import { post } from '@/api/client'
import type { FormField, FormLoad } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useFeedback } from '@/sdk/feedback'
import { useDebounced } from '@/sdk/field-options'
import { useText } from '@/sdk/use-text'
import type { RecordController } from '../record/use-record'
import { idsOf, type Narrowed, narrowedAnew, narrowedBy, standing, withoutRefused } from './narrowed'
import { sameValue } from './values'

/** Time for a value to be typed before the choices that it narrows are asked for. */
const REST = 250
/** The most ids that one request asks for. */
const MOST = 100

/** What depends on the same values is asked for together: a column in all rows. */
function together(all: Narrowed[]): Narrowed[][] {
  const groups = new Map<string, Narrowed[]>()
  for (const one of all) {
    const key = `${one.path} ${JSON.stringify(one.form)}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()]
}

/**
 * Choices that a condition narrows by other values of the form: when those change, the server says what is still offered, and
 * what is not is emptied and named. Otherwise it would be refused when the record is saved.
 */
export function useNarrowed(load: FormLoad, record: Pick<RecordController, 'values' | 'latest' | 'change'>) {
  const { fields, schemaCode, sheetCode } = load.form
  const narrows = useMemo(
    () => fields.some((field) => [field, ...((field.children ?? []) as FormField[])].some((one) => narrowedBy(one)[0])),
    [fields],
  )
  const t = useText()
  const locale = useLocale()
  const { warning } = useFeedback()
  const settled = useDebounced(record.values, REST)
  const before = useRef(record.values)
  const now = useRef({ record, t, locale })
  now.current = { record, t, locale }
  useEffect(() => {
    const changed = narrows ? narrowedAnew(fields, before.current, settled) : []
    before.current = settled
    const ask = async (group: Narrowed[]) => {
      const { latest } = now.current.record
      const first = group[0] as Narrowed
      const ids = [...new Set(group.flatMap((one) => idsOf(standing(one, latest.current).value)))].slice(0, MOST)
      const place = { schemaCode, sheetCode, ...(load.id === null ? {} : { objectId: load.id }) }
      const body = { ...place, propertyCode: first.path, form: first.form, ids, size: MOST }
      const { content } = await post('/api/runtime/form/options', body)
      return { group, ids, offered: new Set(content.map((entry) => entry.id)) }
    }
    const settle = async () => {
      // What cannot be asked the server refuses when the record is saved.
      const answers = await Promise.all(together(changed).map((group) => ask(group).catch(() => null)))
      const { record, t, locale } = now.current
      let next = record.latest.current
      const cleared = new Set<FormField>()
      for (const { group, ids, offered } of answers.filter((answer) => answer !== null)) {
        for (const one of group) {
          const { value, form } = standing(one, next)
          // Other values narrow it by now, or another one was chosen: that is another question.
          if (!sameValue(form, one.form) || !idsOf(value).every((id) => ids.includes(id))) continue
          const left = withoutRefused(next, one, offered)
          if (left !== next) cleared.add(one.field)
          next = left
        }
      }
      if (cleared.size === 0) return
      record.change(next)
      const names = [...cleared].map((field) => localName(field, locale)).join(t('picker.joint'))
      warning(t('form.orphans', { names }), 6)
    }
    if (changed.length > 0) void settle()
  }, [narrows, fields, settled, schemaCode, sheetCode, load.id, warning])
}
