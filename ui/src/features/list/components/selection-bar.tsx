import { Button } from 'antd'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import type { ListAction } from '../use-list-actions'
import type { ListController } from '../use-list-controller'
import styles from './selection-bar.module.css'

/** Comes up when rows are ticked, with what can be done to them. */
export function SelectionBar({ controller, actions }: { controller: ListController; actions: ListAction[] }) {
  const t = useText()
  const rows = [...controller.selected.values()]
  if (rows.length === 0) return null
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('list.actions')}>
      <span className={styles.count}>{t('list.selected', { count: rows.length })}</span>
      {actions
        .filter((action) => action.place === 'selection')
        .map((action) => (
          <Button
            key={action.name}
            type="text"
            danger={action.danger}
            disabled={!action.enabled(rows)}
            icon={action.icon && <Icon name={action.icon} />}
            onClick={() => action.run(rows)}
          >
            {action.label}
          </Button>
        ))}
      <Button
        type="text"
        aria-label={t('list.clearSelection')}
        icon={<Icon name="close" />}
        onClick={controller.store.getState().clearSelection}
      />
    </div>
  )
}
