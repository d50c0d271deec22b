import { Button, Checkbox } from 'antd'
import { Suspense, useMemo, useState } from 'react'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { formWidget } from '@/registry/properties'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import type { CellError, CellInput, FailedRow, HeadColumn } from './api'
import { columnsByCode, errorsOfRow, inputFrom, inputOf, placeOf, take, valueIn, wordsOf } from './correction'
import styles from './correction.module.css'
import { useCell, useCorrections } from './correction-store'
import { rowTitle } from './row-place'
import { useCellValue } from './use-cell-value'

interface Props {
  rows: FailedRow[]
  columns: HeadColumn[]
  schemaCode: string
  ticked: ReadonlySet<string>
  onTick: (ids: string[]) => void
}

/** Refused rows on a phone: of each what is wrong, with its control. */
export function CorrectionCards({ rows, columns, schemaCode, ticked, onTick }: Props) {
  const t = useText()
  return (
    <ul className={styles.cards}>
      {rows.map((row) => (
        <li key={row.id}>
          <Checkbox
            checked={ticked.has(row.id)}
            onChange={(event) =>
              onTick(event.target.checked ? [...ticked, row.id] : [...ticked].filter((one) => one !== row.id))
            }
          >
            {rowTitle(t, row)}
            {row.name && ` · ${row.name}`}
          </Checkbox>
          {errorsOfRow(row).map((one) => (
            <p key={one.errmsg} className={styles.bad}>
              {one.errmsg}
            </p>
          ))}
          <Wrong row={row} columns={columns} schemaCode={schemaCode} />
        </li>
      ))}
    </ul>
  )
}

function Wrong({ row, columns, schemaCode }: { row: FailedRow; columns: HeadColumn[]; schemaCode: string }) {
  // What was wrong stays in sight while it is mended.
  const [errors] = useState(() => row.errors)
  const byCode = useMemo(() => columnsByCode(columns), [columns])
  return errors.map((error) => {
    const column = byCode.get(error.propertyCode)
    const place = placeOf(row, error)
    if (!column || !place) return null
    return <WrongCell key={`${error.propertyCode}/${error.row ?? ''}`} {...{ row, error, column, place, schemaCode }} />
  })
}

interface CellProps {
  row: FailedRow
  error: CellError
  column: HeadColumn
  place: NonNullable<ReturnType<typeof placeOf>>
  schemaCode: string
}

function WrongCell({ row, error, column, place, schemaCode }: CellProps) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const store = useCorrections()
  const { input, error: still } = useCell(row, place)
  const [begun] = useState(() => inputOf(row, place, new Map()))
  const field = useMemo(() => ({ ...column, propertyCode: place.code, required: false }), [column, place.code])
  const Widget = formWidget(column.propertyType)
  const put = (next: CellInput) => store.getState().put([{ place, input: next }])
  const id = `fix-${place.row}-${place.code}-${place.sub ?? ''}`
  const shown = useCellValue(begun, field)
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        {localName(column, locale)}
        {place.sub !== undefined && ` · ${t('import.subRow', { row: place.sub + 1 })}`}
      </label>
      {Widget && shown.ready && (
        <Suspense fallback={null}>
          <Widget
            id={id}
            field={field}
            schemaCode={schemaCode}
            value={shown.value}
            onChange={(next) => {
              shown.set(next)
              put(inputFrom(next, field, context))
            }}
            values={() => ({})}
            invalid={still !== undefined}
            describedBy={`${id}-why`}
          />
        </Suspense>
      )}
      <p id={`${id}-why`} className={still ? styles.bad : styles.note}>
        {error.errmsg}
        {shown.value === null &&
          typeof input === 'string' &&
          input !== '' &&
          !error.errmsg.includes(input) &&
          ` ${t('import.inFile', { text: wordsOf(input, locale) })}`}
      </p>
      {still && error.suggestions && error.suggestions.length > 0 && (
        <div className={styles.suggestions}>
          {error.suggestions.map((one) => (
            <Button
              key={one.id ?? one.name}
              onClick={() => {
                const chosen = take(begun, one, field)
                shown.set(valueIn(chosen, field, context))
                put(chosen)
              }}
            >
              {one.name}
              {one.detail && <small>{one.detail}</small>}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
