import type { FormLoad } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { propertyUI } from '@/registry/properties'
import styles from '../form.module.css'
import type { RecordController } from '../record/use-record'
import { WhyButton } from '../why/why-button'
import { FormLayout } from './layout'
import { ReadValue } from './read-value'
import type { LayoutContext } from './templates'

/** A record in read mode: the same places, text instead of controls. */
export function ReadForm({
  load,
  record,
  layout,
}: {
  load: FormLoad
  record: RecordController
  layout: LayoutContext
}) {
  const locale = useLocale()
  const fields = new Map(load.form.fields.map((field) => [field.propertyCode, field]))
  return (
    <FormLayout
      items={layout.layout}
      columns={layout.columns}
      related={layout.related}
      shown={layout.shown}
      field={(code) => {
        const field = fields.get(code)
        if (!field || record.rules.hidden.has(code)) return null
        return (
          <div
            className={styles.read}
            data-field={code}
            data-nested={propertyUI(field.propertyType).nested || undefined}
          >
            <span className={styles.label}>
              {localName(field, locale)}
              <WhyButton field={field} />
            </span>
            <ReadValue field={field} value={record.values[code] ?? null} />
          </div>
        )
      }}
    />
  )
}
