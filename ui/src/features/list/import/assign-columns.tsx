import { Button } from 'antd'
import { useId } from 'react'
import { Choice } from '@/components/choice'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useErrorText } from '@/sdk/error-text'
import { Sheet } from '@/sdk/sheet'
import { useText } from '@/sdk/use-text'
import type { ImportHead, UploadedFile } from './api'
import { codeOf } from './assign-state'
import styles from './import.module.css'
import { OtherSheets } from './other-sheets'
import type { Head } from './use-head'

interface Props {
  file: UploadedFile
  of: Head
  starting: 'check' | 'write' | null
  failed: unknown
  onStart: (dry: boolean) => void
  onBack: () => void
  onClose: () => void
}

/** Which sheet is read, which row has its headings, and what each column brings. */
export function AssignColumns({ file, of, starting, failed, onStart, onBack, onClose }: Props) {
  const t = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const { head, now } = of
  const names = new Map(head?.properties.map((one) => [one.propertyCode, localName(one, locale)]))
  const listed = (codes: string[]) => codes.map((code) => names.get(code) ?? code).join(t('import.found.and'))
  const wrong = failed ?? of.error
  const ready = now?.ready === true && !of.stale
  return (
    <Sheet
      title={t('import.assign.title')}
      width={900}
      onClose={onClose}
      footer={
        <div className={styles.foot}>
          <span className={styles.note} role="status">
            {now && now.open.length > 0 && t('import.assign.open', { count: now.open.length })}
            {now && now.open.length === 0 && now.count === 0 && t('import.assign.none')}
          </span>
          <Button onClick={onBack}>{t('import.assign.back')}</Button>
          <Button
            disabled={!ready || starting === 'write'}
            loading={starting === 'check'}
            onClick={() => onStart(true)}
          >
            {t('import.check')}
          </Button>
          <Button
            type="primary"
            disabled={!ready || starting === 'check'}
            loading={starting === 'write'}
            onClick={() => onStart(false)}
          >
            {t('import.start')}
          </Button>
        </div>
      }
    >
      <div className={styles.form}>
        <Where file={file} of={of} />
        <OtherSheets of={of} />
        {wrong !== null && wrong !== undefined && (
          <p className={styles.error} role="alert">
            {errorText(wrong)}
          </p>
        )}
        {head && <Preview head={head} />}
        {now && now.twice.length > 0 && (
          <p className={styles.error} role="alert">
            {t('import.assign.twice', { names: listed(now.twice) })}
          </p>
        )}
        {now && now.missing.length > 0 && (
          <p className={styles.warning}>
            <Icon name="alert" size={14} />
            {t('import.assign.missing', { names: listed(now.missing) })}
          </p>
        )}
        {head && <Columns head={head} of={of} />}
      </div>
    </Sheet>
  )
}

/** Sheet, encoding and row of the headings. */
function Where({ file, of }: { file: UploadedFile; of: Head }) {
  const t = useText()
  const id = useId()
  const { head, reading, read } = of
  const rows = head?.preview ?? []
  const text = (cells: string[]) => cells.filter(Boolean).join(t('import.assign.between')) || t('import.assign.blank')
  return (
    <div className={styles.where}>
      {file.sheets.length > 1 && (
        <div className={styles.field}>
          <label htmlFor={`${id}-sheet`}>{t('import.sheet')}</label>
          <Choice
            id={`${id}-sheet`}
            value={head?.sheet ?? reading.sheet}
            options={file.sheets.map((name, value) => ({ value, label: name }))}
            onChange={(sheet) => read({ sheet })}
          />
        </div>
      )}
      {(file.encodingChoices?.length ?? 0) > 0 && (
        <div className={styles.field}>
          <label htmlFor={`${id}-encoding`}>{t('import.assign.encoding')}</label>
          <Choice
            id={`${id}-encoding`}
            value={reading.encoding || head?.encoding || file.encodings[0]}
            options={file.encodingChoices.map((value) => ({ value, label: value.toUpperCase() }))}
            onChange={(encoding) => read({ encoding })}
          />
        </div>
      )}
      <div className={styles.field}>
        <label htmlFor={`${id}-row`}>{t('import.assign.headRow')}</label>
        <Choice
          id={`${id}-row`}
          value={head?.headRow}
          options={rows.map((row) => ({
            value: row.rowNumber,
            label: t('import.assign.row', { row: row.rowNumber, text: text(row.cells) }),
          }))}
          onChange={(headRow) => read({ headRow })}
        />
      </div>
    </div>
  )
}

const SHOWN = 4

/** The rows around the head, as they stand in the sheet. */
function Preview({ head }: { head: ImportHead }) {
  const t = useText()
  const at = head.preview.findIndex((row) => row.rowNumber >= head.headRow)
  const rows = head.preview.slice(Math.max(0, at - 2), Math.max(0, at) + SHOWN)
  const width = Math.max(0, ...rows.map((row) => row.cells.length))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the part that scrolls is reached by keyboard
    <section className={styles.preview} tabIndex={0} aria-label={t('import.assign.preview')}>
      <table>
        <tbody>
          {rows.map((row) => (
            <tr key={row.rowNumber} data-head={row.rowNumber === head.headRow || undefined}>
              <th scope="row" className="tabular">
                {row.rowNumber}
              </th>
              {Array.from({ length: width }, (_, column) => (
                <td key={column}>{row.cells[column]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Each column with its first values and what it brings. */
function Columns({ head, of }: { head: ImportHead; of: Head }) {
  const t = useText()
  const locale = useLocale()
  const id = useId()
  const names = new Map(head.properties.map((one) => [one.propertyCode, localName(one, locale)]))
  const option = (code: string) => ({ value: code, label: names.get(code) ?? code })
  const optionsOf = (candidates: string[]) => [
    { value: '', label: t('import.assign.leave') },
    ...candidates.map(option),
    ...head.properties
      .map((one) => one.propertyCode)
      .filter((code) => !candidates.includes(code))
      .map(option),
  ]
  return (
    <ul className={styles.columns} aria-label={t('import.assign.columns')}>
      {head.columns.map((column) => {
        const code = codeOf(column, of.reading.chosen)
        const twice = code !== null && code !== '' && of.now?.twice.includes(code)
        const heading = column.heading || t('import.assign.column', { name: column.name })
        return (
          <li key={column.column}>
            <div className={styles.heading}>
              <label htmlFor={`${id}-${column.column}`}>{heading}</label>
              <span className={styles.note}>{column.samples.join(t('import.assign.between'))}</span>
            </div>
            <Choice<string>
              id={`${id}-${column.column}`}
              aria-describedby={`${id}-${column.column}-why`}
              value={code as string}
              status={code === null ? 'warning' : twice ? 'error' : ''}
              placeholder={t('import.assign.choose')}
              options={optionsOf(column.candidates)}
              onChange={(next) => of.choose(column.column, next)}
            />
            <span id={`${id}-${column.column}-why`} className={styles.note}>
              {code === null
                ? t('import.assign.may', {
                    names: column.candidates.map((one) => names.get(one) ?? one).join(t('import.assign.between')),
                  })
                : column.by === 'kept' && of.reading.chosen[column.column] === undefined
                  ? t('import.assign.kept')
                  : ''}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
