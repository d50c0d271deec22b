import { CellEditContext, type FormWidgetProps, useCellEdit, useLocale, useText } from '@sluice/sdk'
import { Input, type InputRef } from 'antd'
import { useMemo, useRef } from 'react'
import { DivisionSelect, spokenPath } from './division-select'
import styles from './division-select.module.css'
import type { Address } from './ui'

/** The most characters of the free line. */
const DETAIL = 200

/** Province, city and district from the divisions of the core pack, and a free line. */
export function FormWidget(props: FormWidgetProps<Address>) {
  const { id, field, value, onChange, onBlur, invalid, describedBy, autoFocus, inCell } = props
  const t = useText()
  const locale = useLocale()
  const line = useRef<InputRef>(null)
  const cell = useCellEdit()
  // In a cell the free line follows the division, and Enter in it ends the cell.
  const division = useMemo(() => cell && { ...cell, done: () => line.current?.focus() }, [cell])
  const change = (next: Partial<Address>) => {
    const { code = null, province = null, city = null, district = null, detail = null } = value ?? {}
    const merged = { code, province, city, district, detail, ...next }
    onChange(merged.code || merged.detail ? merged : null)
  }
  const over = [...(value?.detail ?? '')].length > DETAIL
  const levels = { province: 1, 'province-city': 2 }[field.displayFormat ?? ''] ?? 3
  const names = [value?.province, value?.city, value?.district].filter((name): name is string => Boolean(name))
  return (
    <div className={styles.address} data-cell={inCell || undefined} data-wide={inCell || undefined}>
      <CellEditContext value={division}>
        <DivisionSelect
          id={id}
          code={value?.code ?? null}
          label={locale === 'zh' && names.length > 0 ? spokenPath(names) : undefined}
          levels={levels}
          onChange={(place) => {
            const [province = null, city = null, district = null] = (place ?? []).map(({ name }) => name)
            change({ code: place?.at(-1)?.code ?? null, province, city, district })
          }}
          placeholder={t('form.chooseDivision')}
          invalid={invalid}
          describedBy={describedBy}
          autoFocus={autoFocus}
          inCell={inCell}
        />
      </CellEditContext>
      <Input
        ref={line}
        className={styles.line ?? ''}
        value={value?.detail ?? ''}
        onChange={(event) => change({ detail: event.target.value || null })}
        onBlur={onBlur}
        count={{ max: DETAIL, show: over, strategy: (text) => [...text].length }}
        status={over ? 'error' : ''}
        variant={inCell ? 'borderless' : 'outlined'}
        placeholder={t('form.addressDetail')}
        aria-label={t('form.addressDetail')}
      />
    </div>
  )
}
