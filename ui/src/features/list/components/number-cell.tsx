import type { CustomCellRendererProps } from 'ag-grid-react'
import type { GridContext, GridRow } from './grid'

/** Counts through all pages; trees are not numbered. */
export function NumberCell({ node, context }: CustomCellRendererProps<GridRow>) {
  const { controller } = (context as { get: () => GridContext }).get()
  if (node.rowPinned || controller.tree || node.rowIndex === null) return null
  return <>{controller.view.page * controller.view.size + node.rowIndex + 1}</>
}
