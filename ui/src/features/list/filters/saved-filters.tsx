import { Popover } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import type { ListController } from '../use-list-controller'
import styles from './saved-filters.module.css'
import { useSavedFilters } from './use-saved-filters'

const SavedPanel = lazy(() => import('./saved-panel').then((m) => ({ default: m.SavedPanel })))

/** Filters kept under a name: which one is on, the others, and a place to keep the present one. */
export function SavedFilters({ controller }: { controller: ListController }) {
  const t = useText()
  const saved = useSavedFilters(controller)
  const [open, setOpen] = useState(false)
  const { current } = saved
  if (!controller.config.queryConditions.some((condition) => condition.visible)) return null
  const label = !current
    ? t('filter.saved.menu')
    : saved.changed
      ? t('filter.saved.changed', { name: current.name })
      : current.name
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger="click"
      placement="bottomLeft"
      arrow={false}
      destroyOnHidden
      content={
        <div role="dialog" aria-label={t('filter.saved.menu')}>
          <Suspense fallback={<div className={styles.panel} />}>
            <SavedPanel saved={saved} close={() => setOpen(false)} />
          </Suspense>
        </div>
      }
    >
      <button
        type="button"
        className={styles.opener}
        aria-expanded={open}
        aria-haspopup="dialog"
        title={current?.lacking ? t('filter.saved.lacking') : ''}
      >
        <span>{label}</span>
        {current?.lacking && <Icon name="alert" size={14} />}
        <Icon name="down" size={12} />
      </button>
    </Popover>
  )
}
