import type { InputRef } from 'antd'
import { lazy, Suspense, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { ListConfig } from '@/api/types'
import { useHotkey } from '@/lib/hotkeys'
import { listRoot } from '../row-marks'
import { useFilterPanel } from '../use-filter-panel'
import { useListActions } from '../use-list-actions'
import { useListController } from '../use-list-controller'
import { FilterChips } from './filter-chips'
import { Grid } from './grid'
import { SkeletonRows } from './list-skeleton'
import { ListState } from './list-state'
import styles from './list-table.module.css'
import { SelectionBar } from './selection-bar'
import { TitleRow } from './title-row'

const BulkLayer = lazy(() => import('../bulk/bulk-layer').then((m) => ({ default: m.BulkLayer })))
const FilterRow = lazy(() => import('./filter-row').then((m) => ({ default: m.FilterRow })))
const IgnoredFilters = lazy(() => import('./ignored-filters').then((m) => ({ default: m.IgnoredFilters })))
const Pager = lazy(() => import('./pager').then((m) => ({ default: m.Pager })))
const SheetDialog = lazy(() => import('./sheet-dialog').then((m) => ({ default: m.SheetDialog })))
const Gantt = lazy(() => import('../gantt/gantt'))

/** The list on a wide screen. */
export function ListTable({ config }: { config: ListConfig }) {
  const controller = useListController(config)
  const actions = useListActions(controller)
  const { gantt } = config.queryPresentation
  const filterRow = useRef<HTMLDivElement>(null)
  const keyword = useRef<InputRef>(null)
  const panel = useFilterPanel(config)
  useHotkey('/', () => {
    if (keyword.current) return keyword.current.focus({ cursor: 'all' })
    flushSync(() => panel.setOpen(true))
    filterRow.current?.querySelector('input')?.focus()
  })
  return (
    <div className={styles.page} {...listRoot(config)}>
      <TitleRow controller={controller} actions={actions} panel={panel} keyword={keyword} />
      {panel.has && panel.open && (
        <Suspense fallback={<div className={styles.panel} />}>
          <FilterRow ref={filterRow} controller={controller} />
        </Suspense>
      )}
      <FilterChips controller={controller} />
      {(controller.ignored.length > 0 || controller.lost.length > 0) && (
        <Suspense fallback={null}>
          <IgnoredFilters controller={controller} />
        </Suspense>
      )}
      <div className={styles.table} data-fetching={controller.query.isFetching || undefined}>
        <ListState controller={controller} actions={actions}>
          {gantt ? (
            <Suspense fallback={<SkeletonRows />}>
              <Gantt controller={controller} plan={gantt} />
            </Suspense>
          ) : (
            <Grid controller={controller} actions={actions} />
          )}
        </ListState>
        <SelectionBar controller={controller} actions={actions} />
      </div>
      <Suspense fallback={<div className={styles.pager} />}>
        <Pager controller={controller} />
      </Suspense>
      <Suspense fallback={null}>
        <BulkLayer controller={controller} />
      </Suspense>
      {controller.sheet && (
        <Suspense fallback={null}>
          <SheetDialog controller={controller} sheet={controller.sheet} />
        </Suspense>
      )}
    </div>
  )
}
