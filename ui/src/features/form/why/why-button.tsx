import { Popover } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { FormField } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useText } from '@/sdk/use-text'
import { useWhy } from './context'
import styles from './why.module.css'

const WhyPanel = lazy(() => import('./why-panel').then((m) => ({ default: m.WhyPanel })))

/** Beside the label of a computed property: why it has its value. */
export function WhyButton({ field }: { field: FormField }) {
  const t = useText()
  const locale = useLocale()
  const ask = useWhy()
  const [open, setOpen] = useState(false)
  if (!ask || !field.computed) return null
  const label = t('form.why.ask', { name: localName(field, locale) })
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger="click"
      placement="bottom"
      destroyOnHidden
      content={
        <Suspense fallback={<div className={styles.panel} />}>
          <WhyPanel code={field.propertyCode} ask={ask} />
        </Suspense>
      }
    >
      <button type="button" className={styles.button} aria-label={label} title={label} aria-expanded={open} />
    </Popover>
  )
}
