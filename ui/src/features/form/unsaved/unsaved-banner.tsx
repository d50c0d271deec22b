import { Alert, App, Button } from 'antd'
import type { FormLoad } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { formatInstant } from '@/lib/dates'
import { localName } from '@/lib/local-name'
import { useTextContext } from '@/sdk/system'
import type { FoundInput } from '@/sdk/unsaved-forms'
import { useText } from '@/sdk/use-text'
import { ReadValue } from '../fields/read-value'
import styles from '../form.module.css'
import type { RecordController } from '../record/use-record'
import { formDigest } from './unsaved'
import type { UnsentController } from './use-unsaved'

interface Props {
  load: FormLoad
  record: RecordController
  unsent: UnsentController
  /** Restored input is edited. */
  onEdit: () => void
}

/** Says that input waits which was never saved. Nothing of it is in the form before somebody asks for it. */
export function UnsavedBanner({ load, record, unsent, onEdit }: Props) {
  const t = useText()
  const context = useTextContext()
  const { message } = App.useApp()
  const { found } = unsent
  if (!found) return null
  if (unsent.closed) return <Closed load={load} found={found} onDiscard={unsent.discard} />
  const time = formatInstant(new Date(found.at).toISOString(), 'yyyy-MM-dd HH:mm', context)
  const notes = [
    ...(found.version !== record.version ? [t('form.unsentOlder')] : []),
    ...(found.form !== formDigest(load.form.fields) ? [t('form.unsentForm')] : []),
    ...(unsent.others > 0 ? [t('form.unsentMore', { count: unsent.others })] : []),
  ]
  const restore = () => {
    if (Object.keys(unsent.fits).length === 0) {
      unsent.discard()
      void message.info(t('form.unsentNothing'))
      return
    }
    onEdit()
    if (record.restore(unsent.fits)) unsent.taken()
  }
  return (
    <Alert
      className={styles.unsent ?? ''}
      type="warning"
      showIcon
      title={t('form.unsentFound', { time })}
      description={notes.length > 0 ? notes.join(context.locale === 'zh' ? '' : ' ') : undefined}
      action={
        <span className={styles.unsentTools}>
          <Button size="small" onClick={unsent.discard}>
            {t('form.unsentDiscard')}
          </Button>
          <Button size="small" type="primary" onClick={restore}>
            {t('form.unsentRestore')}
          </Button>
        </span>
      }
    />
  )
}

/** Input for a record that takes nothing any more: it is shown to be copied, and given up. */
function Closed({ load, found, onDiscard }: { load: FormLoad; found: FoundInput; onDiscard: () => void }) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const time = formatInstant(new Date(found.at).toISOString(), 'yyyy-MM-dd HH:mm', context)
  return (
    <Alert
      className={styles.unsent ?? ''}
      type="info"
      showIcon
      title={t('form.unsentClosed', { time })}
      description={
        <dl className={styles.unsentValues}>
          {load.form.fields.map((field) => {
            const kept = found.fields[field.propertyCode]
            if (kept?.type !== field.propertyType) return null
            return (
              <div key={field.propertyCode}>
                <dt>{localName(field, locale)}</dt>
                <dd>
                  <ReadValue field={field} value={kept.mine} />
                </dd>
              </div>
            )
          })}
        </dl>
      }
      action={
        <Button size="small" onClick={onDiscard}>
          {t('form.unsentDiscard')}
        </Button>
      }
    />
  )
}
