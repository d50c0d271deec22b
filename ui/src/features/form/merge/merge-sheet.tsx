import { Radio } from 'antd'
import { type ReactNode, useId, useMemo } from 'react'
import type { FormField } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useText } from '@/sdk/use-text'
import { ReadValue } from '../fields/read-value'
import { type Choices, type MergeField, rowsMerged, type Side } from './merge'
import styles from './merge-dialog.module.css'
import { changedColumns, type Row, type RowConflict } from './merge-rows'

interface Props {
  item: MergeField
  choices: Choices
  /** The rows as the form would compute them: what either side stored is old once their rows are one. */
  compute: (rows: Row[]) => unknown
  onChoose: (key: string, side: Side | 'rows') => void
}

const sides: Side[] = ['mine', 'theirs']

/** A sub-table that both changed: row by row, with what both did differently to choose from; or one side's, whole. */
export function MergeSheet({ item, choices, compute, onChoose }: Props) {
  const t = useText()
  const { field, asks = [] } = item
  const code = field.propertyCode
  const result = useMemo(() => rowsMerged(item, choices), [item, choices])
  return (
    <>
      <Radio.Group
        className={styles.ways ?? ''}
        value={choices[code]}
        onChange={(event) => onChoose(code, event.target.value)}
        options={[
          { value: 'rows', label: t('form.mergeByRows') },
          { value: 'mine', label: t('form.mergeRowsMine') },
          { value: 'theirs', label: t('form.mergeRowsTheirs') },
        ]}
      />
      {asks.map((ask) => (
        <RowAsk
          key={ask.key}
          field={field}
          ask={ask}
          choice={choices[ask.key]}
          onChoose={(side) => onChoose(ask.key, side)}
        />
      ))}
      <div className={styles.result}>
        <span className={styles.name}>{t('form.mergeResult', { count: result.length })}</span>
        <div className={styles.value} data-rows="">
          <ReadValue field={field} value={compute(result)} />
        </div>
      </div>
    </>
  )
}

interface RowAskProps {
  field: FormField
  ask: RowConflict
  choice: Side | 'rows' | undefined
  onChoose: (side: Side) => void
}

/** One question: as it was, mine and as it is now. */
function RowAsk({ field, ask, choice, onChoose }: RowAskProps) {
  const t = useText()
  const locale = useLocale()
  const group = useId()
  const title =
    ask.kind === 'order'
      ? t('form.mergeOrder')
      : ask.kind === 'row'
        ? t('form.mergeRow', { row: ask.row })
        : t('form.mergeCell', { row: ask.row, column: localName(ask.column, locale) })
  const words = { mine: t('form.mergeMine'), theirs: t('form.mergeTheirs') }
  const base = baseOf(field, ask)
  return (
    <fieldset className={styles.ask} data-ask={ask.key} data-open={choice === undefined || undefined}>
      <legend className={styles.legend}>{title}</legend>
      <div className={styles.columns}>
        {base && (
          <div className={styles.side} data-side="base">
            <span className={styles.name}>{t('form.mergeBase')}</span>
            <div className={styles.value}>{base}</div>
          </div>
        )}
        {sides.map((side) => (
          <div key={side} className={styles.side} data-side={side} data-chosen={choice === side || undefined}>
            <Radio
              className={styles.pick ?? ''}
              name={group}
              value={side}
              checked={choice === side}
              onChange={() => onChoose(side)}
            >
              {words[side]}
            </Radio>
            <div className={styles.value}>
              {ask.kind === 'cell' && <ReadValue field={ask.column} value={ask[side]} />}
              {ask.kind === 'row' && <RowSide field={field} ask={ask} side={side} />}
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  )
}

function baseOf(field: FormField, ask: RowConflict): ReactNode {
  if (ask.kind === 'order') return null
  if (ask.kind === 'cell') return <ReadValue field={ask.column} value={ask.base} />
  return <Cells columns={(field.children ?? []) as FormField[]} row={ask.base} />
}

/** What a side did to a row that the other removed or changed. */
function RowSide({ field, ask, side }: { field: FormField; ask: RowConflict & { kind: 'row' }; side: Side }) {
  const t = useText()
  if (ask.removedBy === side) return <span className={styles.text}>{t('form.mergeRemoved')}</span>
  return <Cells columns={changedColumns(field, ask.base, ask.changed)} row={ask.changed} />
}

function Cells({ columns, row }: { columns: FormField[]; row: Row }) {
  const locale = useLocale()
  return (
    <dl className={styles.cells}>
      {columns
        .filter((column) => row[column.propertyCode] !== null && row[column.propertyCode] !== undefined)
        .map((column) => (
          <div key={column.propertyCode}>
            <dt>{localName(column, locale)}</dt>
            <dd>
              <ReadValue field={column} value={row[column.propertyCode]} />
            </dd>
          </div>
        ))}
    </dl>
  )
}
