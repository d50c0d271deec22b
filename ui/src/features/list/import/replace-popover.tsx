import { Button, Input, Radio, Segmented } from 'antd'
import { Suspense, useId, useMemo, useState } from 'react'
import { Choice } from '@/components/choice'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { formWidget } from '@/registry/properties'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import type { CellInput, HeadColumn, Replaced, Replacement } from './api'
import { inputFrom, SHEET } from './correction'
import styles from './correction.module.css'
import { Changes, useChanges } from './replace-changes'

/** Operators of conditions by their number on the wire, and whether they take a text. */
const OPERATORS = [
  { value: 7, key: 'contains', text: true },
  { value: 1, key: 'equals', text: true },
  { value: 2, key: 'differs', text: true },
  { value: 9, key: 'empty', text: false },
  { value: 10, key: 'filled', text: false },
] as const

interface Condition {
  key: number
  code: string
  operator: number
  text: string
}

interface Props {
  /** The columns by the codes that calls use. */
  columns: { code: string; column: HeadColumn }[]
  schemaCode: string
  /** How many rows are ticked. */
  count: number
  /** How many rows there are, on other pages too. */
  total: number
  running: boolean
  onReplace: (replacement: Omit<Replacement, 'rows'>) => void
  /** Tells what a replacement would change; without it only whole values are replaced. */
  preview?: (replacement: Omit<Replacement, 'rows'>) => Promise<Replaced>
}

/** What becomes of the cells: another value, a part of their text, or what the property takes of them. */
type Way = 'value' | 'search' | 'fit'

/** Types whose cells can be made to fit: one-line texts and numbers. */
const FITS = new Set([0, 2])

/**
 * One value for a column of the ticked rows or of all, for those of them that meet conditions; or a part of the texts of a column replaced, or its
 * numbers rounded, which is shown before it is done.
 */
export function ReplaceForm({ columns, schemaCode, count, total, running, onReplace, preview }: Props) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const id = useId()
  const [conditions, setConditions] = useState<Condition[]>([])
  const [next, setNext] = useState(1)
  const [code, setCode] = useState<string | null>(null)
  const [value, setValue] = useState<unknown>(null)
  const [scope, setScope] = useState<'ticked' | 'all'>('ticked')
  const [way, setWay] = useState<Way>('value')
  const [search, setSearch] = useState('')
  const [by, setBy] = useState('')
  const all = count === 0 || scope === 'all'
  const choices = columns.filter(({ column: { propertyType } }) =>
    way === 'fit' ? FITS.has(propertyType) : propertyType !== SHEET,
  )
  const options = choices.map((one) => ({ value: one.code, label: localName(one.column, locale) }))
  const chosen = choices.find((one) => one.code === code)
  const field = useMemo(() => chosen && { ...chosen.column, propertyCode: chosen.code, required: false }, [chosen])
  const Widget = field && formWidget(field.propertyType)
  const change = (key: number, part: Partial<Condition>) =>
    setConditions((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const input: CellInput = field ? (Widget ? inputFrom(value, field, context) : String(value ?? '')) : ''
  const given = {
    all,
    propertyCode: chosen?.code ?? '',
    value: way === 'value' ? input : by,
    ...(way === 'search' ? { search } : {}),
    ...(way === 'fit' ? { fit: true, value: '' } : {}),
    conditions: conditions
      .filter((one) => one.code)
      .map((one) => ({ propertyCode: one.code, queryFilterType: one.operator, propertyValue: one.text.trim() })),
  }
  const asks = way !== 'value' && chosen !== undefined && (way === 'fit' || search !== '')
  const changes = useChanges(asks ? preview : undefined, given)
  return (
    <form
      className={styles.replace}
      aria-labelledby={`${id}-title`}
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen && !running && (way === 'value' || changes?.changedCount)) onReplace(given)
      }}
    >
      <div>
        <h2 id={`${id}-title`} className={styles.replaceTitle}>
          {t('import.replaceTitle')}
        </h2>
        {way !== 'fit' && <p className={styles.note}>{t('import.replaceText')}</p>}
      </div>
      {preview && (
        <Segmented<Way>
          block
          aria-label={t('import.replaceTitle')}
          value={way}
          options={(['value', 'search', 'fit'] as const).map((one) => ({ value: one, label: t(`import.ways.${one}`) }))}
          onChange={(next) => {
            setWay(next)
            if (next === 'fit' && chosen && !FITS.has(chosen.column.propertyType)) setCode(null)
          }}
        />
      )}
      <Radio.Group
        className={styles.scope ?? ''}
        aria-label={t('import.replaceScope')}
        value={all ? 'all' : 'ticked'}
        options={[
          { value: 'all', label: t('import.replaceAll', { count: total }) },
          { value: 'ticked', label: t('import.replaceTicked', { count }), disabled: count === 0 },
        ]}
        onChange={(event) => setScope(event.target.value as 'ticked' | 'all')}
      />
      <fieldset>
        <legend>{t('import.conditions')}</legend>
        {conditions.map((one) => (
          <div key={one.key} className={styles.condition}>
            <Choice
              aria-label={t('import.column')}
              placeholder={t('import.column')}
              value={one.code || null}
              options={options}
              onChange={(to) => change(one.key, { code: to ?? '' })}
            />
            <Choice
              aria-label={t('import.operator')}
              value={one.operator}
              options={OPERATORS.map(({ value, key }) => ({ value, label: t(`import.operators.${key}`) }))}
              onChange={(operator) => change(one.key, { operator })}
            />
            {OPERATORS.find(({ value }) => value === one.operator)?.text && (
              <Input
                aria-label={t('import.conditionText')}
                value={one.text}
                maxLength={200}
                onChange={(event) => change(one.key, { text: event.target.value })}
              />
            )}
            <Button
              type="text"
              icon={<Icon name="close" />}
              aria-label={t('import.removeCondition')}
              onClick={() => setConditions((all) => all.filter(({ key }) => key !== one.key))}
            />
          </div>
        ))}
        <Button
          type="link"
          size="small"
          icon={<Icon name="plus" size={14} />}
          onClick={() => {
            setConditions((all) => [...all, { key: next, code: '', operator: 7, text: '' }])
            setNext(next + 1)
          }}
        >
          {t('import.addCondition')}
        </Button>
      </fieldset>
      <div className={styles.field}>
        <label htmlFor={`${id}-column`}>{t('import.replaceColumn')}</label>
        <Choice
          id={`${id}-column`}
          placeholder={t('import.column')}
          value={code}
          options={options}
          onChange={(to) => {
            setCode(to ?? null)
            setValue(null)
          }}
        />
      </div>
      {way === 'search' && (
        <>
          <div className={styles.field}>
            <label htmlFor={`${id}-search`}>{t('import.searchFor')}</label>
            <Input
              id={`${id}-search`}
              value={search}
              maxLength={200}
              onChange={(event) => setSearch(event.target.value)}
            />
          </div>
          <div className={styles.field}>
            <label htmlFor={`${id}-by`}>{t('import.replaceValue')}</label>
            <Input id={`${id}-by`} value={by} maxLength={200} onChange={(event) => setBy(event.target.value)} />
          </div>
        </>
      )}
      {way === 'fit' && <p className={styles.note}>{t('import.fitText')}</p>}
      {asks && <Changes changes={changes} />}
      {way === 'value' && field && (
        <div className={styles.field}>
          <label htmlFor={`${id}-value`}>{t('import.replaceValue')}</label>
          {Widget ? (
            <Suspense fallback={<Input disabled />}>
              <Widget
                key={field.propertyCode}
                id={`${id}-value`}
                field={field}
                schemaCode={schemaCode}
                value={value}
                onChange={setValue}
                values={() => ({})}
              />
            </Suspense>
          ) : (
            <Input id={`${id}-value`} value={String(value ?? '')} onChange={(event) => setValue(event.target.value)} />
          )}
          <p className={styles.note}>{t('import.replaceEmpty')}</p>
        </div>
      )}
      <div className={styles.submit}>
        <Button
          type="primary"
          htmlType="submit"
          disabled={!chosen || (way !== 'value' && !changes?.changedCount)}
          loading={running}
        >
          {way === 'fit' ? t('import.fit') : t('import.replace')}
        </Button>
      </div>
    </form>
  )
}
