import { lazy, Suspense } from 'react'
import type { ListController } from '../use-list-controller'

const ColumnDialog = lazy(() => import('../columns/column-dialog').then((m) => ({ default: m.ColumnDialog })))
const RecycleDrawer = lazy(() => import('../recycle/recycle-drawer').then((m) => ({ default: m.RecycleDrawer })))
const SheetDialog = lazy(() => import('../table/sheet-dialog').then((m) => ({ default: m.SheetDialog })))

/** The dialogs of a list, each loaded when it is opened first. */
export function ListPanels({ controller }: { controller: ListController }) {
  const { panel, sheet } = controller
  return (
    <Suspense fallback={null}>
      {panel?.kind === 'columns' && <ColumnDialog controller={controller} />}
      {panel?.kind === 'recycle' && <RecycleDrawer controller={controller} />}
      {sheet && <SheetDialog controller={controller} sheet={sheet} />}
    </Suspense>
  )
}
