import { useMemo } from 'react'
import type { FormLoad } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import type { AskedPlace } from '@/sdk/errors'
import { useText } from '@/sdk/use-text'
import type { LayoutContext } from '../fields/templates'
import { placedCodes } from '../fields/undrawn-faults'
import styles from '../form.module.css'
import type { RecordController } from '../record/use-record'
import { faultyPlaces, type ShownIssue } from './form-faults'

/** So many places are named; the others are counted. */
const NAMED = 6

interface Props {
  load: FormLoad
  record: RecordController
  layout: LayoutContext
  found: ShownIssue[]
  onGo: (place: AskedPlace) => void
}

/** Names what is in the way of a save and leads there, whichever tab, group or row it is in. */
export function FaultLinks({ load, record, layout, found, onGo }: Props) {
  const t = useText()
  const locale = useLocale()
  const { fields } = load.form
  const byCode = useMemo(() => new Map(fields.map((field) => [field.propertyCode, field])), [fields])
  const placed = placedCodes(layout.layout, layout.shown, record.rules.hidden)
  const places = faultyPlaces(found, record, fields, record.values).filter(({ code }) => placed.has(code))
  if (places.length === 0) return null
  const nameOf = ({ code, row, column: at }: AskedPlace) => {
    const field = byCode.get(code)
    const name = field ? localName(field, locale) : code
    if (row === undefined) return name
    const column = field?.children?.find((one) => one.propertyCode === at)
    return `${name}: ${t('sheet.cell', { column: column ? localName(column, locale) : '', row: row + 1 })}`
  }
  return (
    <nav className={styles.faults} aria-label={t('form.faultList')}>
      {places.slice(0, NAMED).map((place) => (
        <button key={[place.code, place.row, place.column].join('/')} type="button" onClick={() => onGo(place)}>
          {nameOf(place)}
        </button>
      ))}
      {places.length > NAMED && <span>{t('form.moreFaults', { count: places.length - NAMED })}</span>}
    </nav>
  )
}
