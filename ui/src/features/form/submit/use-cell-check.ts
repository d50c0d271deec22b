import { useCallback, useMemo } from 'react'
import type { FormField } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { type Expr, evaluate, within } from '@/lib/expression'
import { localName } from '@/lib/local-name'
import type { CellCheck } from '@/sdk/errors'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import type { FaultyCell, MoreFaults } from '../fields/validator'
import { formScope } from '../rules/scope'
import type { ValueStore } from '../rules/value-store'
import { filledRows, isNothing, type Values } from '../rules/values'
import type { ValueCheck } from './field-check'

/** How many cells are named below a sub-table; the others are marked only. */
const SAID = 3

/**
 * What is wrong with cells of sub-tables, one by one while people type and all together before a save. What is missing counts
 * once a save was refused: a row that has just been added is not red.
 */
export function useCellCheck(fields: FormField[], valueCheck: ValueCheck, store: ValueStore, attempts: number) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()

  const missing = useCallback(
    (column: FormField, row: Values): boolean => {
      if (column.required) return true
      const rule = (column as { requiredRule?: unknown }).requiredRule
      if (!rule) return false
      const scope = formScope(context)
      try {
        return evaluate(rule as Expr, within(scope(row), scope(store.all()))) === true
      } catch {
        return false // only the server can tell
      }
    },
    [context, store],
  )
  const judge = useCallback(
    (column: FormField, row: Values, strict: boolean): string | null => {
      const value = row[column.propertyCode]
      if (column.readOnly) return null
      if (isNothing(value)) {
        const name = localName(column, locale)
        const said =
          row.id !== undefined || Object.entries(row).some(([code, one]) => code !== 'key' && !isNothing(one))
        return strict && said && missing(column, row) ? t('form.required', { name }) : null
      }
      return valueCheck(column, column.cellSchema, value, row)?.message ?? null
    },
    [t, locale, missing, valueCheck],
  )
  // A new function for each attempt, so that sub-tables look for their faults then.
  const check: CellCheck = useCallback((column, row) => judge(column, row, attempts > 0), [judge, attempts])

  const faults: MoreFaults = useMemo(() => {
    let known = new WeakMap<Values, (string | null)[]>()
    let seen: Values = {}
    return (data) => {
      // Rules of rows may speak of the record: then everything is judged again.
      const ruled = fields.some((field) =>
        field.children?.some(
          (column) => (column as { requiredRule?: unknown }).requiredRule || (column as FormField).rules?.length,
        ),
      )
      if (ruled && seen !== data) known = new WeakMap()
      seen = data
      return fields.flatMap((field) => {
        const rows = data[field.propertyCode]
        const columns = (field.children ?? []) as FormField[]
        if (field.readOnly || columns.length === 0 || !Array.isArray(rows)) return []
        const found: string[] = []
        const cells: FaultyCell[] = []
        for (const [index, row] of filledRows(field, rows as Values[]).entries()) {
          const faults = known.get(row) ?? columns.map((column) => judge(column, row, true))
          known.set(row, faults)
          faults.forEach((message, i) => {
            const column = columns[i]
            if (!message || !column) return
            found.push(t('sheet.inRow', { row: index + 1, column: localName(column, locale), message }))
            cells.push({ row: index, column: column.propertyCode })
          })
        }
        if (found.length === 0) return []
        const more = found.length > SAID ? [t('sheet.moreFaults', { count: found.length - SAID })] : []
        const message = [...found.slice(0, SAID), ...more].join(t('sheet.joint'))
        return [{ code: field.propertyCode, message, cells }]
      })
    }
  }, [fields, judge, t, locale])
  return { check, faults }
}
