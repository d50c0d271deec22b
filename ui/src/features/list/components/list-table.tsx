import { lazy, Suspense, useRef } from 'react'
import type { ListConfig } from '@/api/types'
import { useHotkey } from '@/lib/hotkeys'
import { listRoot } from '../row-marks'
import { useListActions } from '../use-list-actions'
import { useListController } from '../use-list-controller'
import { FilterChips } from './filter-chips'
import { FilterRow } from './filter-row'
import { Grid } from './grid'
import { SkeletonRows } from './list-skeleton'
import { ListState } from './list-state'
import styles from './list-table.module.css'
import { Pager } from './pager'
import { SelectionBar } from './selection-bar'
import { TitleRow } from './title-row'

const BulkLayer = lazy(() => import('../bulk/bulk-layer').then((m) => ({ default: m.BulkLayer })))
const SheetDialog = lazy(() => import('./sheet-dialog').then((m) => ({ default: m.SheetDialog })))
const Gantt = lazy(() => import('../gantt/gantt'))

/** The list on a wide screen. */
export function ListTable({ config }: { config: ListConfig }) {
  const controller = useListController(config)
  const actions = useListActions(controller)
  const { gantt } = config.queryPresentation
  const filterRow = useRef<HTMLDivElement>(null)
  useHotkey('/', () => filterRow.current?.querySelector('input')?.focus())
  return (
    <div className={styles.page} {...listRoot(config)}>
      <TitleRow controller={controller} actions={actions} />
      {config.queryConditions.some((condition) => condition.visible) && (
        <FilterRow ref={filterRow} controller={controller} />
      )}
      <FilterChips controller={controller} />
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
      <Pager controller={controller} />
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
