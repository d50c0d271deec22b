import { Button, ConfigProvider, Drawer } from 'antd'
import type { ReactNode } from 'react'
import { useReturnFocus } from '@/lib/return-focus'
import { useText } from '@/sdk/use-text'
import type { ListController } from '../use-list-controller'
import { FilterChips } from './filter-chips'
import { FilterControl } from './filter-control'
import styles from './filter-drawer.module.css'
import { SavedFilters } from './saved-filters'

interface Props {
  controller: ListController
  placement: 'right' | 'bottom'
  /** What else is set here, above the conditions. */
  children?: ReactNode
  onClose: () => void
}

/** All conditions in one column, where the page has no room for a panel. They act when they change. */
export function FilterDrawer({ controller, placement, children, onClose }: Props) {
  useReturnFocus()
  const t = useText()
  const phone = placement === 'bottom'
  const conditions = controller.config.queryConditions.filter((condition) => condition.visible)
  return (
    <Drawer
      open
      placement={placement}
      size={phone ? 'min(86dvh, 720px)' : 'min(400px, 92vw)'}
      onClose={onClose}
      title={t('list.filters')}
      footer={
        <div className={styles.buttons}>
          <Button size="large" onClick={controller.resetFilters}>
            {t('list.reset')}
          </Button>
          <Button size="large" type="primary" onClick={onClose}>
            {t('list.done')}
          </Button>
        </div>
      }
    >
      <ConfigProvider componentSize={phone ? 'large' : 'middle'}>
        {!phone && <FilterChips controller={controller} />}
        <div className={styles.filters}>
          <SavedFilters controller={controller} />
          {children}
          {conditions.map((condition) => (
            <FilterControl key={condition.propertyCode} condition={condition} controller={controller} />
          ))}
        </div>
      </ConfigProvider>
    </Drawer>
  )
}
