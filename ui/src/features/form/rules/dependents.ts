import type { FormField } from '@/api/types'
import { textSetting } from '@/sdk/settings'
import { isNothing, sameValue, type Values } from './values'

type Row = Values & { id?: string; key?: string }

/** A value without the options that do not stand below the choice above it; the same where all of them do. */
function below(field: FormField, value: unknown, above: unknown): unknown {
  const parents = [above ?? []].flat().map(String)
  const fits = (code: unknown) => {
    const option = field.options?.find((one) => one.code === code)
    return option === undefined || (option.parent != null && parents.includes(option.parent))
  }
  if (!Array.isArray(value)) return fits(value) ? value : null
  const kept = value.filter(fits)
  return kept.length === value.length ? value : kept.length > 0 ? kept : null
}

/** Empties choices whose choice above changed and that no longer stand below it; those below them follow. */
function settle(fields: FormField[], before: Values, after: Values, cleared: Set<FormField>): Values {
  let now = after
  for (let again = true; again; ) {
    again = false
    for (const field of fields) {
      const above = textSetting(field, 'dependsOn')
      const code = field.propertyCode
      if (!above || field.readOnly || isNothing(now[code]) || sameValue(before[above], now[above])) continue
      // What came together with the new choice above was meant with it.
      if (now === after && !sameValue(before[code], after[code])) continue
      const left = below(field, now[code], now[above])
      if (left === now[code]) continue
      now = { ...now, [code]: left }
      cleared.add(field)
      again = true
    }
  }
  return now
}

/**
 * The values after a change, in a record and in the rows of its sub-tables: a choice does not stay below another one that it
 * does not belong to. Tells which fields were emptied.
 */
export function withoutOrphans(fields: FormField[], before: Values, after: Values) {
  const cleared = new Set<FormField>()
  let values = settle(fields, before, after, cleared)
  for (const { propertyCode: code, children } of fields) {
    const rows = after[code]
    if (!children?.some((column) => textSetting(column, 'dependsOn')) || !Array.isArray(rows)) continue
    if (rows === before[code]) continue
    const known = new Map(
      (Array.isArray(before[code]) ? (before[code] as Row[]) : []).map((row) => [row.id ?? row.key, row]),
    )
    const next = (rows as Row[]).map((row) => {
      const old = known.get(row.id ?? row.key)
      return !old || old === row ? row : settle(children as FormField[], old, row, cleared)
    })
    if (next.some((row, i) => row !== rows[i])) values = { ...values, [code]: next }
  }
  return { values, cleared: [...cleared] }
}
