import type { FormLoad, LayoutItem } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useText } from '@/sdk/use-text'
import styles from '../form.module.css'
import type { RecordController } from '../record/use-record'
import { type ServerFault, sheetOf } from '../submit/faults'
import type { ShownIssue } from '../submit/form-faults'
import type { LayoutContext } from './templates'

/** The fields that the form shows now, or would show in another of its tabs. */
export function placedCodes(
  items: LayoutItem[],
  shown: LayoutContext['shown'],
  hidden: ReadonlySet<string>,
): Set<string> {
  const out = new Set<string>()
  const walk = (all: LayoutItem[]) => {
    for (const item of all) {
      if (item.type === 'RelatedList') continue
      if (item.type && item.type !== 'Field' && !shown(item)) continue
      if (item.propertyCode && !hidden.has(item.propertyCode)) out.add(item.propertyCode)
      walk(item.items ?? [])
    }
  }
  walk(items)
  return out
}

/** The faults that no field of the form says: each with the field's name, once. */
export function undrawn(
  placed: ReadonlySet<string>,
  found: ShownIssue[],
  refused: ServerFault[],
): (ShownIssue & Partial<Pick<ServerFault, 'name' | 'name_i18n'>>)[] {
  const all = [...refused.map((fault) => ({ ...fault, code: sheetOf(fault), message: fault.errmsg })), ...found]
  const seen = new Set<string>()
  return all.filter(({ code, message }) => {
    const key = `${code}\n${message}`
    if (placed.has(code) || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

interface Props {
  load: FormLoad
  record: RecordController
  layout: LayoutContext
  found: ShownIssue[]
}

/** What is in the way of a save in fields that the form does not show. */
export function UndrawnFaults({ load, record, layout, found }: Props) {
  const t = useText()
  const locale = useLocale()
  const placed = placedCodes(layout.layout, layout.shown, record.rules.hidden)
  const faults = undrawn(placed, found, record.faults)
  if (faults.length === 0) return null
  return (
    <ul className={styles.undrawn} role="alert">
      {faults.map(({ code, message, name, name_i18n }) => {
        const field = load.form.fields.find((one) => one.propertyCode === code)
        const label = field
          ? localName(field, locale)
          : name
            ? localName({ name, name_i18n: name_i18n ?? null }, locale)
            : code
        return <li key={`${code}${message}`}>{label ? t('form.undrawn', { name: label, message }) : message}</li>
      })}
    </ul>
  )
}
