import { Alert, App, Button } from 'antd'
import type { FormLoad } from '@/api/types'
import { formatInstant } from '@/lib/dates'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
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
  const time = formatInstant(new Date(found.at).toISOString(), 'yyyy-MM-dd HH:mm', context)
  const notes = [
    ...(found.version !== record.version ? [t('form.unsentOlder')] : []),
    ...(found.form !== formDigest(load.form.fields) ? [t('form.unsentForm')] : []),
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
