import { Icon } from '@/components/icon'
import { useWorkCounts } from '@/sdk/work-counts'
import styles from './work-tab.module.css'

/** The phone's tab of tasks, with how many wait. */
export function WorkTab() {
  const { unfinished } = useWorkCounts()
  return (
    <span className={styles.tab}>
      <Icon name="inbox" size={20} />
      {unfinished > 0 && (
        <span className={styles.count} data-testid="tasks" aria-hidden="true">
          {unfinished > 99 ? '99+' : unfinished}
        </span>
      )}
    </span>
  )
}
