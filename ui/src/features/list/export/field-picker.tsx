import { Checkbox, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { Highlight } from '@/components/highlight'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useMatcher } from '@/lib/use-matcher'
import styles from '@/sdk/exports/export.module.css'
import { useExportText } from '@/sdk/exports/texts'
import type { ExportField } from './api'
import {
  type Checked,
  type Chosen,
  mainState,
  stateOf,
  toggleChild,
  toggleField,
  toggleMain,
  toggleSheet,
} from './choice'

interface Props {
  fields: ExportField[]
  chosen: Chosen[]
  onChange: (chosen: Chosen[]) => void
  /** Above the search: where the fields come from. */
  head: ReactNode
}

interface Found {
  field: ExportField
  hits: number[] | null
}

/** The fields that can be exported: those of the records, and groups of those of their sub-tables. */
export function FieldPicker({ fields, chosen, onChange, head }: Props) {
  const t = useExportText()
  const locale = useLocale()
  const [query, setQuery] = useState('')
  const match = useMatcher(query !== '')
  const finds = (field: ExportField): Found[] => {
    if (!query) return [{ field, hits: null }]
    const hits = match(localName(field, locale), query)
    return hits ? [{ field, hits }] : []
  }
  const main = fields.filter((field) => field.childColumns.length === 0)
  const found = main.flatMap(finds)
  const sheets = fields
    .filter((field) => field.childColumns.length > 0)
    .map((sheet) => {
      const self = query ? match(localName(sheet, locale), query) : null
      const children = self
        ? sheet.childColumns.map((field) => ({ field, hits: null }))
        : sheet.childColumns.flatMap(finds)
      return { sheet, self, children }
    })
    .filter(({ children }) => children.length > 0)
  const note = (field: ExportField) => field.links && <span className={styles.faint}>{t('asked')}</span>
  return (
    <section className={styles.side} aria-label={t('fields')}>
      {head}
      <Input
        allowClear
        prefix={<Icon name="search" size={14} />}
        placeholder={t('searchFields')}
        aria-label={t('searchFields')}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <div className={styles.scroll}>
        {found.length > 0 && (
          <fieldset className={styles.group}>
            <legend>
              <Box
                state={mainState(chosen, query ? found.map(({ field }) => field) : fields)}
                onChange={() => onChange(toggleMain(chosen, query ? found.map(({ field }) => field) : fields))}
              >
                <b>{t('mainFields')}</b>
              </Box>
            </legend>
            {found.map(({ field, hits }) => (
              <div key={field.propertyCode} className={styles.pick}>
                <Checkbox
                  checked={stateOf(chosen, field) === 'all'}
                  onChange={() => onChange(toggleField(chosen, field.propertyCode))}
                >
                  <Highlight text={localName(field, locale)} positions={hits} />
                </Checkbox>
                {note(field)}
              </div>
            ))}
          </fieldset>
        )}
        {sheets.map(({ sheet, self, children }) => (
          <fieldset key={sheet.propertyCode} className={styles.group}>
            <legend>
              <Box
                state={stateOf(chosen, sheet)}
                label={t('allOf', { name: localName(sheet, locale) })}
                onChange={() => onChange(toggleSheet(chosen, sheet))}
              >
                <b>
                  <Highlight text={localName(sheet, locale)} positions={self} />
                </b>
              </Box>
            </legend>
            {children.map(({ field, hits }) => (
              <div key={field.propertyCode} className={styles.pick}>
                <Checkbox
                  checked={
                    chosen.find((one) => one.code === sheet.propertyCode)?.children.includes(field.propertyCode) ??
                    false
                  }
                  onChange={() => onChange(toggleChild(fields, chosen, sheet.propertyCode, field.propertyCode))}
                >
                  <Highlight text={localName(field, locale)} positions={hits} />
                </Checkbox>
                {note(field)}
              </div>
            ))}
          </fieldset>
        ))}
        {found.length === 0 && sheets.length === 0 && (
          <p role="status" className={styles.none}>
            {t('noField')}
          </p>
        )}
      </div>
    </section>
  )
}

interface BoxProps {
  state: Checked
  label?: string
  onChange: () => void
  children: ReactNode
}

/** A checkbox of several fields: half checked when some of them are. */
function Box({ state, label, onChange, children }: BoxProps) {
  return (
    <Checkbox
      checked={state === 'all'}
      indeterminate={state === 'some'}
      onChange={onChange}
      {...(label ? { 'aria-label': label } : {})}
    >
      {children}
    </Checkbox>
  )
}
