import { Button, Popover, Tooltip } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import type { ListController } from '../use-list-controller'
import styles from './column-popover.module.css'

const ColumnPanel = lazy(() => import('./column-panel').then((m) => ({ default: m.ColumnPanel })))

/** Which columns a list shows, and in which order. */
export function ColumnPopover({ controller }: { controller: ListController }) {
  const t = useText()
  const [open, setOpen] = useState(false)
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger="click"
      placement="bottomRight"
      arrow={false}
      content={
        <Suspense fallback={<div className={styles.panel} />}>
          <ColumnPanel controller={controller} />
        </Suspense>
      }
      destroyOnHidden
    >
      <Tooltip title={open ? null : t('list.columns')}>
        <Button type="text" aria-label={t('list.columns')} aria-expanded={open} icon={<Icon name="sliders" />} />
      </Tooltip>
    </Popover>
  )
}
