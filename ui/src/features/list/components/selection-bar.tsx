import { Button } from 'antd'
import { Hint } from '@/components/hint'
import { Icon } from '@/components/icon'
import { useHotkey } from '@/lib/hotkeys'
import { useIsPhone } from '@/lib/use-media'
import { useText } from '@/sdk/use-text'
import type { ListAction } from '../actions/list-action'
import type { ListController } from '../use-list-controller'
import styles from './selection-bar.module.css'

/** Comes up when rows are ticked, with what can be done to them, or to everything that matches. */
export function SelectionBar({ controller, actions }: { controller: ListController; actions: ListAction[] }) {
  const t = useText()
  const phone = useIsPhone() // cards have no hover: what rows offer is here when one is ticked
  const rows = [...controller.selected.values()]
  if (rows.length === 0) return null
  const { all, total, tree } = controller
  const { selectAll, clearSelection } = controller.store.getState()
  const whole =
    !tree &&
    total !== null &&
    total > rows.length &&
    controller.rows.every((row) => row.above || controller.selected.has(row.id))
  const offered = actions.filter(
    (action) =>
      (action.place === 'selection' && (!all || action.all)) || (phone && action.place === 'row' && rows.length === 1),
  )
  const enabled = (action: ListAction) => all || action.enabled(rows)
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('list.actions')}>
      <span className={styles.count} aria-live="polite">
        {all ? t('bulk.allSelected', { count: total ?? 0 }) : t('list.selected', { count: rows.length })}
      </span>
      {whole && !all && offered.some((action) => action.all) && (
        <Button type="link" onClick={selectAll}>
          {t('bulk.selectAll', { count: total })}
        </Button>
      )}
      <div className={styles.actions}>
        {offered.map((action) => (
          <Hint key={action.name} title={action.shortcut ? `${action.label} (${action.shortcut})` : action.hint}>
            <Button
              type="text"
              danger={action.danger}
              disabled={!enabled(action)}
              icon={action.icon && <Icon name={action.icon} />}
              onClick={() => action.run(rows)}
              {...(action.shortcut ? { 'aria-keyshortcuts': action.shortcut } : {})}
            >
              {action.label}
            </Button>
          </Hint>
        ))}
      </div>
      {offered.map(
        (action) =>
          action.shortcut && (
            <Shortcut key={action.name} of={action.shortcut} run={() => enabled(action) && action.run(rows)} />
          ),
      )}
      <Button
        type="text"
        className={styles.clear ?? ''}
        aria-label={t('list.clearSelection')}
        icon={<Icon name="close" />}
        onClick={clearSelection}
      />
    </div>
  )
}

function Shortcut({ of, run }: { of: string; run: () => unknown }) {
  useHotkey(of, run)
  return null
}
