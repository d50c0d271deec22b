import { useQuery } from '@tanstack/react-query'
import { Button, Popover, Skeleton } from 'antd'
import { useState } from 'react'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { formatInstant } from '@/lib/dates'
import { localName } from '@/lib/local-name'
import { useErrorText } from '@/sdk/error-text'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { type Asked, historyQuery } from './api'
import styles from './print.module.css'

/** Who put the record on paper before, and when. */
export function Past({ asked }: { asked: Asked }) {
  const t = useText()
  const [open, setOpen] = useState(false)
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger="click"
      placement="bottom"
      title={t('print.history')}
      content={open ? <Times asked={asked} /> : null}
    >
      <Button type="text" aria-label={t('print.history')} aria-expanded={open} icon={<Icon name="history" />} />
    </Popover>
  )
}

function Times({ asked }: { asked: Asked }) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const errorText = useErrorText()
  const { data, error } = useQuery(historyQuery(asked))
  if (error) return <p role="alert">{errorText(error)}</p>
  if (!data) return <Skeleton active title={false} className={styles.past ?? ''} />
  if (data.length === 0) return <p className={styles.none}>{t('print.historyNone')}</p>
  return (
    <ul className={styles.past}>
      {data.map((one) => (
        <li key={`${one.time} ${one.how} ${one.code}`}>
          <span>
            {one.name} · {t(`print.how.${one.how}`)}
          </span>
          <small>
            <time dateTime={one.time}>{formatInstant(one.time, 'yyyy-MM-dd HH:mm', context)}</time>
            {' · '}
            {one.code
              ? localName({ name: one.templateName, name_i18n: one.templateName_i18n }, locale)
              : t('print.labels')}
          </small>
        </li>
      ))}
    </ul>
  )
}
