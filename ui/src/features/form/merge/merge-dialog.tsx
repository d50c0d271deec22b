import { Button, Modal, Radio } from 'antd'
import { useId, useMemo, useState } from 'react'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useText } from '@/sdk/use-text'
import { ReadValue } from '../fields/read-value'
import type { Conflict, RecordController } from '../record/use-record'
import { withoutEmpty } from '../rules/values'
import { allOf, type Choices, compareSides, firstChoices, type MergeField, merge, type Side, undecided } from './merge'
import styles from './merge-dialog.module.css'
import type { Row } from './merge-rows'
import { MergeSheet } from './merge-sheet'

interface Props {
  record: RecordController
  conflict: Conflict
  /** Input that waited went into the form. */
  onTaken: () => void
}

/** Somebody else changed the record: each field as it was, mine and as it is now, and the choice between both. */
export function MergeDialog({ record, conflict, onTaken }: Props) {
  // A record that changed once more is another question: its choices begin again.
  return <Merge key={conflict.theirs.version} record={record} conflict={conflict} onTaken={onTaken} />
}

function Merge({ record, conflict, onTaken }: Props) {
  const t = useText()
  const { base, mine, theirs, purpose } = conflict
  const list = useMemo(
    () => compareSides(theirs.form.fields, base, mine, withoutEmpty(theirs.data)),
    [base, mine, theirs],
  )
  const [choices, setChoices] = useState<Choices>(() => firstChoices(list))
  const left = undecided(list, choices).length
  const done = () => {
    record.settle(merge(list, choices, theirs.data))
    if (purpose === 'restore') onTaken()
  }
  const restoring = purpose === 'restore'
  return (
    <Modal
      open
      title={t(restoring ? 'form.mergeTitle' : 'form.conflictTitle')}
      width="min(980px, calc(100vw - 24px))"
      centered
      onCancel={record.dismissConflict}
      mask={{ closable: false }}
      footer={
        <div className={styles.foot}>
          <span className={styles.left} aria-live="polite">
            {left > 0 ? t('form.mergeLeft', { count: left }) : t('form.mergeReady')}
          </span>
          <Button onClick={record.dismissConflict}>{t('form.mergeBack')}</Button>
          <Button type="primary" disabled={left > 0} loading={record.saving.isPending} onClick={done}>
            {t(restoring ? 'form.mergeApply' : 'form.mergeSave')}
          </Button>
        </div>
      }
    >
      {conflict.again && (
        <p className={styles.again} role="alert">
          {t('form.conflictAgain')}
        </p>
      )}
      <p className={styles.text}>{t(restoring ? 'form.mergeText' : 'form.conflictText')}</p>
      <div className={styles.all}>
        <Button size="small" onClick={() => setChoices(allOf(list, 'mine'))}>
          {t('form.mergeAllMine')}
        </Button>
        <Button size="small" onClick={() => setChoices(allOf(list, 'theirs'))}>
          {t('form.mergeAllTheirs')}
        </Button>
      </div>
      <div className={styles.fields}>
        {list.map((item) => (
          <Field
            key={item.field.propertyCode}
            item={item}
            choices={choices}
            compute={(rows) => {
              const merged = merge(list, choices, theirs.data)
              return record.compute({ ...merged, [item.field.propertyCode]: rows })[item.field.propertyCode]
            }}
            onChoose={(key, side) => setChoices((old) => ({ ...old, [key]: side }))}
          />
        ))}
      </div>
    </Modal>
  )
}

const by = {
  mine: 'form.mergeByMine',
  theirs: 'form.mergeByTheirs',
  both: 'form.mergeByBoth',
  same: 'form.mergeBySame',
} as const

interface FieldProps {
  item: MergeField
  choices: Choices
  /** The rows of the sub-table as the form would compute them. */
  compute: (rows: Row[]) => unknown
  onChoose: (key: string, side: Side | 'rows') => void
}

function Field({ item, choices, compute, onChoose }: FieldProps) {
  const t = useText()
  const locale = useLocale()
  const group = useId()
  const { field, rows } = item
  const choice = choices[field.propertyCode]
  const open = undecided([item], choices).length > 0
  const byRows = item.asks !== undefined && choice === 'rows'
  const words = { mine: t('form.mergeMine'), theirs: t('form.mergeTheirs') }
  const sides: Side[] = ['mine', 'theirs']
  return (
    <fieldset className={styles.field} data-merge={field.propertyCode} data-open={open || undefined}>
      <legend className={styles.legend}>
        <strong>{localName(field, locale)}</strong>
        <span className={styles.by}>{t(byRows && !open ? 'form.mergeByItself' : by[item.by])}</span>
      </legend>
      {byRows && <SheetCounts item={item} />}
      {item.asks && <MergeSheet item={item} choices={choices} compute={compute} onChoose={onChoose} />}
      {!item.asks && (
        <div className={styles.columns}>
          <div className={styles.side} data-side="base">
            <span className={styles.name}>{t('form.mergeBase')}</span>
            <div className={styles.value} data-rows={rows ? '' : undefined}>
              <ReadValue field={field} value={item.base} />
            </div>
          </div>
          {sides.map((side) => (
            <div key={side} className={styles.side} data-side={side} data-chosen={choice === side || undefined}>
              {item.by === 'same' ? (
                <span className={styles.name}>{words[side]}</span>
              ) : (
                <Radio
                  className={styles.pick ?? ''}
                  name={group}
                  value={side}
                  checked={choice === side}
                  onChange={() => onChoose(field.propertyCode, side)}
                >
                  {words[side]}
                </Radio>
              )}
              {rows && <Rows item={item} side={side} />}
              <div className={styles.value} data-rows={rows ? '' : undefined}>
                <ReadValue field={field} value={item[side]} />
              </div>
            </div>
          ))}
        </div>
      )}
    </fieldset>
  )
}

/** What each side did to the rows. */
function SheetCounts({ item }: { item: MergeField }) {
  const t = useText()
  return (
    <div className={styles.both}>
      {(['mine', 'theirs'] as const).map((side) => (
        <div key={side} data-side={side}>
          <span className={styles.name}>{t(side === 'mine' ? 'form.mergeMine' : 'form.mergeTheirs')}</span>
          <Rows item={item} side={side} />
        </div>
      ))}
    </div>
  )
}

/** What a side did to the rows. */
function Rows({ item, side }: { item: MergeField; side: Side }) {
  const t = useText()
  const rows = item.rows?.[side]
  if (!rows) return null
  const { added, changed, removed, moved } = rows
  return (
    <p className={styles.counts}>
      {t('form.mergeRows', { added, changed, removed })}
      {moved && <span>{t('form.mergeMoved')}</span>}
    </p>
  )
}
