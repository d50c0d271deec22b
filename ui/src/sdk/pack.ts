import type { ComponentType } from 'react'
import type { IconName } from '@/components/icon'
import type { Locale } from '@/lib/local-name'
import type { AnyActionUI } from './action'
import type { ListHandle } from './list-handle'
import type { WidgetGroup, WidgetProps } from './portal'
import type { AnyPropertyUI } from './property'
import type { PackTexts } from './texts'

/** A page that a menu entry opens. */
export interface PageUI {
  /** As the menu entry names it, without the pack. */
  name: string
  Page: ComponentType<PageProps>
}

export interface PageProps {
  appCode: string
  /** The menu entry's name, for the page's heading. */
  title: string
}

export const definePage = (page: PageUI): PageUI => page

/** What a part of a record's page gets. */
export interface RecordPartProps {
  schemaCode: string
  sheetCode: string
  objectId: string
  /** Counts the saves of the record. */
  version: number | null
  /** The record's name. */
  name: string
  /** What the person may do with the record: save, delete, form_track, codes of buttons. */
  actions: readonly string[]
  /** The workflow that the record runs in or last ran in. */
  workflowInstanceId: string | null
  /** The place beside the record; a part of the head puts there what it opens. */
  side: HTMLElement | null
  /** What parts keep of their records while the page is drawn again after a save. Keys begin with the part's name. */
  kept: Map<string, unknown>
}

export interface RecordPartUI {
  name: string
  /** Where the part is shown: `head` (an icon button; its place is reserved), `above` the form, `side`, or `below`. */
  place: 'head' | 'above' | 'side' | 'below'
  /** Codes of the models whose records have it; missing: all. */
  models?: string[]
  /** Whether this record has it, by what may be done with it. */
  when?: (record: Pick<RecordPartProps, 'schemaCode' | 'actions' | 'workflowInstanceId'>) => boolean
  Part: ComponentType<RecordPartProps>
}

export const defineRecordPart = (part: RecordPartUI): RecordPartUI => part

export interface ViewProps<L extends ListHandle = ListHandle> {
  list: L
}

/** How a list shows its rows, by `presentationType`. */
export interface ViewUI<L extends ListHandle = ListHandle> {
  name: string
  /** Draws the rows; title, filters and pages around it are the list's. */
  Rows?: ComponentType<ViewProps<L>>
  /** It reads its rows itself: nobody waits for the first page. */
  ownRows?: boolean
  /** Draws everything, in place of the ordinary page. */
  Page?: ComponentType<{ config: L['config'] }>
  /** Is drawn on phones too, in place of cards. */
  phone?: boolean
}

export type AnyViewUI = ViewUI<never>

export function defineView<L extends ListHandle = ListHandle>(view: ViewUI<L>): AnyViewUI {
  return view as unknown as AnyViewUI
}

/** A widget of portal pages, by the `type` of documents. */
export interface WidgetUI<O extends object = Record<string, unknown>> {
  name: string
  label: Record<Locale, string>
  icon: IconName
  /** Where the designer offers it. */
  group: WidgetGroup
  /** It draws its own edge and ground: its box has none. */
  bare?: boolean
  /** On a phone it is as high as what is in it. */
  low?: boolean
  /** Draws its content. Behind `lazy` it is read when a page has one. */
  Widget: ComponentType<WidgetProps<O>>
}

export type AnyWidgetUI = WidgetUI<never>

export function defineWidget<O extends object = Record<string, unknown>>(widget: WidgetUI<O>): AnyWidgetUI {
  return widget as unknown as AnyWidgetUI
}

/** All that a pack brings to the interface. */
export interface PackUI {
  /** The pack's code. */
  pack: string
  properties?: AnyPropertyUI[]
  actions?: AnyActionUI[]
  pages?: PageUI[]
  parts?: RecordPartUI[]
  views?: AnyViewUI[]
  widgets?: AnyWidgetUI[]
  texts?: PackTexts
}

/** The default export of a pack's `ui/index.tsx`. */
export const definePack = (pack: PackUI): PackUI => pack
