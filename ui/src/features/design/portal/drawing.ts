import type { ComponentType, ReactNode } from 'react'
import type { DrawnPage, DrawnRows, DrawnWidget } from './api'

/** Reads the records of a widget of the draft. */
export type DraftRows = (widget: string, request: object, signal: AbortSignal) => Promise<DrawnRows>

/** What draws pages and their widgets: the application puts it in. */
export interface Drawing {
  /** Around widgets that are drawn one by one; null: nothing is drawn yet. */
  Around: ComponentType<{ page: DrawnPage | null; rows: DraftRows; children: ReactNode }>
  Widget: ComponentType<{ widget: DrawnWidget }>
  /** All of a page at the width that it gets. */
  View: ComponentType<{ page: DrawnPage; rows: DraftRows }>
}
