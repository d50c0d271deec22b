import { Button, Modal } from 'antd'
import type { FormLoad } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useText } from '@/sdk/use-text'
import styles from './form.module.css'
import { ReadValue } from './read-value'
import type { RecordController } from './use-record'

/** Somebody else saved first: what differs, mine beside theirs, and the choice between both. */
export function ConflictDialog({ load, record }: { load: FormLoad; record: RecordController }) {
  const t = useText()
  const locale = useLocale()
  const { conflict } = record
  const fields = load.form.fields.filter((field) => conflict?.changed.includes(field.propertyCode))
  return (
    <Modal
      open={conflict !== null}
      title={t('form.conflictTitle')}
      width={720}
      onCancel={record.dismissConflict}
      footer={[
        <Button key="theirs" onClick={record.takeTheirs}>
          {t('form.useTheirs')}
        </Button>,
        <Button key="mine" type="primary" loading={record.saving.isPending} onClick={record.overwrite}>
          {t('form.useMine')}
        </Button>,
      ]}
    >
      <p>{t('form.conflictText')}</p>
      <table className={styles.compare}>
        <thead>
          <tr>
            <th>{t('form.conflictField')}</th>
            <th>{t('form.conflictMine')}</th>
            <th>{t('form.conflictTheirs')}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field.propertyCode}>
              <td>{localName(field, locale)}</td>
              <td>
                <ReadValue field={field} value={record.values[field.propertyCode] ?? null} />
              </td>
              <td>
                <ReadValue field={field} value={conflict?.current[field.propertyCode] ?? null} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Modal>
  )
}
