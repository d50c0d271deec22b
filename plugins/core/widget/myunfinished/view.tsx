import {
  optionText,
  PortalLink,
  useLocale,
  useText,
  useWorkCounts,
  WidgetCard,
  type WidgetProps,
  workPath,
} from '@sluice/sdk'
import { Source } from '../shared/source'
import styles from './tasks.module.css'

interface Options {
  icon?: string
  iconSrc?: string | null
  rowsShown?: number
}

/** The open tasks of the reader, the newest first, and how many there are. */
export function MyUnfinished({ widget, page }: WidgetProps<Options>) {
  const t = useText()
  const locale = useLocale()
  const counts = useWorkCounts()
  const { options } = widget
  const title = optionText(options, 'title', locale) || t('portal.myTasks')
  return (
    <WidgetCard
      title={title}
      icon={options.icon}
      iconSrc={options.iconSrc}
      note={
        counts.unfinished > 0 && (
          <span className={styles.counts}>
            {counts.unfinished}
            {counts.timeout > 0 && (
              <PortalLink to={`${workPath('myUnfinished')}?timeout=1`} className={styles.late}>
                {t('portal.lateCount', { count: counts.timeout })}
              </PortalLink>
            )}
          </span>
        )
      }
      more={workPath('myUnfinished')}
    >
      <Source options={{ ...options, dataSource: 'myUnfinished' }} widget={widget} page={page} />
    </WidgetCard>
  )
}
