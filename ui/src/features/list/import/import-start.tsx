import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Radio, Skeleton } from 'antd'
import { useId } from 'react'
import { Choice } from '@/components/choice'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useErrorText, useRequestNote } from '@/sdk/error-text'
import { Sheet } from '@/sdk/sheet'
import { useText } from '@/sdk/use-text'
import { fieldsQuery, type Mode, type Place, templateAddress } from './api'
import { useDownload } from './download'
import { HeadLine } from './head-line'
import styles from './import.module.css'
import { type Settings, settled } from './import-state'
import { OtherSheets } from './other-sheets'
import { UploadBox } from './upload-box'
import type { Head } from './use-head'
import type { useUpload } from './use-upload'

interface Props {
  place: Place
  upload: ReturnType<typeof useUpload>
  settings: Settings
  of: Head
  starting: 'check' | 'write' | null
  /** Something else is looked up before anything can be chosen. */
  waiting: boolean
  failed: unknown
  onSettings: (settings: Settings) => void
  onStart: (dry: boolean) => void
  onAssign: () => void
  onMine: () => void
  onClose: () => void
}

const MODES = ['addOrUpdate', 'add', 'update'] as const

/** What is imported, and how. */
export function ImportStart(props: Props) {
  const { place, upload, settings, of, starting, waiting, failed, onSettings, onStart, onAssign, onMine, onClose } =
    props
  const t = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const requestNote = useRequestNote()
  const id = useId()
  const download = useDownload()
  const fields = useQuery(fieldsQuery(place))
  const ready = upload.state.at === 'ready' && !of.pending
  const sheets = upload.state.at === 'ready' ? upload.state.file.sheets : []
  const modes = MODES.filter((mode) => !fields.data || fields.data.modes.includes(mode))
  const now = settled(settings, fields.data)
  const { mode } = now
  const change = (part: Partial<Settings>) => onSettings({ ...settings, ...part })
  const go = onStart
  const wrong = failed ?? fields.error
  const reading = waiting || (fields.isPending && !fields.error)
  return (
    <Sheet
      title={t('import.title')}
      width={640}
      onClose={onClose}
      // Buttons come with what they are below: it would push them away.
      footer={
        reading ? null : (
          <div className={styles.foot}>
            <Button type="text" icon={<Icon name="history" />} onClick={onMine}>
              {t('import.mine')}
            </Button>
            <Button onClick={onClose}>{t('common.cancel')}</Button>
            <Button
              disabled={!ready || !fields.data || starting === 'write'}
              loading={starting === 'check'}
              onClick={() => go(true)}
            >
              {t('import.check')}
            </Button>
            <Button
              type="primary"
              disabled={!ready || !fields.data || starting === 'check'}
              loading={starting === 'write'}
              onClick={() => go(false)}
            >
              {t('import.start')}
            </Button>
          </div>
        )
      }
    >
      {reading ? (
        <Skeleton active title={false} paragraph={{ rows: 6 }} />
      ) : (
        <div className={styles.form}>
          <p className={styles.template}>
            <button
              type="button"
              className={styles.choose}
              disabled={download.running}
              onClick={() => void download.start(templateAddress(place, locale))}
            >
              <Icon name="download" size={14} /> {t('import.template')}
            </button>
            <span className={styles.note}>{t('import.templateNote')}</span>
          </p>
          <UploadBox upload={upload} />
          {sheets.length > 1 && (
            <div className={styles.field}>
              <label htmlFor={`${id}-sheet`}>{t('import.sheet')}</label>
              <Choice
                id={`${id}-sheet`}
                value={of.head?.sheet ?? of.reading.sheet ?? 0}
                options={sheets.map((name, value) => ({ value, label: name }))}
                onChange={(sheet) => of.read({ sheet })}
              />
            </div>
          )}
          {upload.state.at === 'ready' && <OtherSheets of={of} />}
          {upload.state.at === 'ready' && <HeadLine of={of} onAssign={onAssign} />}
          <fieldset className={styles.field}>
            <legend>{t('import.mode')}</legend>
            <Radio.Group
              className={styles.modes ?? ''}
              value={mode}
              options={modes.map((value) => ({ value, label: t(`import.modes.${value}`) }))}
              onChange={(event) => change({ mode: event.target.value as Mode })}
            />
            <p className={styles.note}>{t(`import.modeNotes.${mode}`)}</p>
          </fieldset>
          <div className={styles.field}>
            <label htmlFor={`${id}-field`}>{t('import.queryField')}</label>
            <Choice
              id={`${id}-field`}
              allowClear
              placeholder={t('import.noQueryField')}
              value={now.queryField || null}
              options={fields.data?.queryFields?.map((field) => ({
                value: field.propertyCode,
                label: localName(field, locale),
              }))}
              onChange={(code) => change({ queryField: code ?? '' })}
            />
            <p className={styles.note}>{t(mode === 'add' ? 'import.queryFieldAdd' : 'import.queryFieldNote')}</p>
          </div>
          {mode !== 'add' && (
            <Checkbox checked={now.clearEmpty} onChange={(event) => change({ clearEmpty: event.target.checked })}>
              {t('import.clearEmpty')}
            </Checkbox>
          )}
          {mode !== 'add' && fields.data?.lines && (
            <Checkbox checked={now.replaceLines} onChange={(event) => change({ replaceLines: event.target.checked })}>
              {t('import.replaceLines')}
            </Checkbox>
          )}
          {fields.data && (
            <p className={styles.warning}>
              <Icon name="alert" size={14} />
              {t('import.warning', { count: fields.data.maxRows })}
            </p>
          )}
          {wrong !== null && wrong !== undefined && (
            <p className={styles.error} role="alert">
              {[errorText(wrong), requestNote(wrong)].filter(Boolean).join(' ')}
            </p>
          )}
        </div>
      )}
    </Sheet>
  )
}
