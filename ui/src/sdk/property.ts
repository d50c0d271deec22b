import type { TFunction } from 'i18next'
import type { ComponentType } from 'react'
import type { Entry, FieldPlan, FormField } from '@/api/types'
import type { DateKind } from '@/lib/date-text'
import type { Locale } from '@/lib/local-name'

/** What a text of a value depends on besides the value. */
export interface TextContext {
  locale: Locale
  /** IANA name of the installation's time zone; days and times are shown in it, not in the browser's. */
  zone: string
}

/** What cells are painted with: the product's texts too. */
export interface PaintContext extends TextContext {
  t: TFunction
}

/** Where a value is shown: the record it belongs to, if any. */
export interface RecordRef {
  schemaCode: string
  id: string
}

export interface ReadProps<V> {
  value: V
  field: FieldPlan
  record?: RecordRef
}

/** A grid cell. It is one line high and never wider than its column; an empty value is not passed to it. */
export interface CellProps<V> extends ReadProps<V> {
  /** Opens everything that the cell cuts off (all rows of a sub-table, all people of a set). */
  onMore?: () => void
}

/** What a filter control edits: the operand as the list call takes it, and the words for its chip. */
export interface FilterValue {
  /** `propertyValue`: sets and ranges joined with ";", or a word for days. Empty only where the operator takes nothing. */
  value: string
  /** `propertyValueName`: what people read in the chip when the value itself says nothing (ids). */
  label?: string
  /** Overrides the operator of the list condition. */
  operator?: string
}

export interface FilterProps {
  field: FieldPlan & {
    queryFilterType?: string
    /** "single": one option, person or record at most. */
    choiceType?: string | null
    /** "flat": options side by side and not in a drop-down. */
    displayType?: string | null
    /** The list in which the records of a relation are chosen; without it the first one of their model. */
    relativeQueryCode?: string | null
  }
  /** What the value is compared by: the control has two ends for ranges, one choice for "Equal" of single values. */
  operator: string
  schemaCode: string
  value: FilterValue | null
  onChange: (value: FilterValue | null) => void
  /** Runs the query at once (Enter). */
  onSubmit: () => void
  id: string
}

/** The editing control of a form or of a sub-table cell. It draws no label and no error text; the form does. */
export interface FormWidgetProps<V> {
  id: string
  field: FormField
  schemaCode: string
  /** Wire form; null = empty. Exact numbers are texts. */
  value: V | null
  onChange: (value: V | null) => void
  onBlur?: () => void
  /** The form's values now, for dependent choices. Reads the current state; does not subscribe. */
  values: () => Record<string, unknown>
  /** Fills other fields (relations with "fill"). */
  fill?: (values: Record<string, unknown>) => void
  invalid?: boolean
  describedBy?: string
  placeholder?: string
  autoFocus?: boolean
  /** In a sub-table cell: no border, full size, opens at once. */
  inCell?: boolean
}

/** Why the server would refuse a value: a sentence of the form's texts, with what it names. */
export type ValueFault =
  | { key: 'type' | 'whole' }
  | { key: 'scale' | 'tooLong'; count: number }
  | { key: 'least' | 'most' | 'step'; limit: string }
  | { key: 'number'; example: string }
  | { key: 'between'; low: string; high: string }

/** Exported as `check` beside `FormWidget` by types whose limits no JSON Schema can say. */
export type TypeCheck = (value: unknown, field: FormField) => ValueFault | null

/** The lazy half of a property, in `form.tsx` beside its `ui.tsx`: `export const FormWidget: FormWidget<Value>`. */
export type FormWidget<V> = ComponentType<FormWidgetProps<V>>

/** What reading a text may need besides it: words are looked up as the field's picker would. */
export interface ParseContext extends TextContext {
  /** The choices of the field for a word; of mixed fields those of one kind. */
  find: (word: string, kind?: 'user' | 'department') => Promise<Entry[]>
  /**
   * The choices that a text means as a cell of a file does: the one, or those of a list in its order; none where a part means none, or several.
   * The server reads names, with what tells equal ones apart; it is the one that reads imports.
   */
  meant: (text: string) => Promise<Entry[]>
}

/** A text in place of a value: typed or pasted, and not understood. Forms do not save it. */
export interface Unread {
  unread: string
  /** Of several, those that were chosen before. */
  kept?: unknown[]
}

export const isUnread = (value: unknown): value is Unread =>
  typeof value === 'object' && value !== null && typeof (value as Unread).unread === 'string'

/** How a property type looks. One object in `plugins/<pack>/property/<name>/ui.tsx`, exported as `property`. */
export interface PropertyUI<V> {
  /** As in documents: "Number". */
  name: string
  /** As on the wire: 2. */
  wire: number
  /** Right for figures; cells, headers, footers and sub-table columns follow. */
  align?: 'left' | 'right'
  /** Narrower than this a column says nothing. */
  minWidth?: number
  /** The value in words: clipboard, tooltips, chips, cards, aria labels. */
  text: (value: V, field: FieldPlan, context: TextContext) => string
  /** The value as other programs read it back, where `text` says more (units) or less (rounded) than it. */
  copyText?: (value: V, field: FieldPlan, context: TextContext) => string
  /** The value that a text from another program says, never an empty one; undefined when it says none. */
  parseText?: (text: string, field: FormField, context: ParseContext) => V | undefined | Promise<V | undefined>
  /** What its control asks for, in words of `date.enter`; a type that says so keeps texts that it cannot read, as `Unread`. */
  asks?: (field: FieldPlan) => DateKind
  /** Its `Cell` is light and answers nothing: a sub-table that is being edited draws it and not `text`. */
  cellInEdit?: boolean
  /** Its control takes files that are pasted: a sub-table opens it for them. */
  takesFiles?: boolean
  /** In the grid. Without it `text` is shown. */
  Cell?: ComponentType<CellProps<V>>
  /**
   * What `Cell` looks like, as plain elements: the grid shows this while somebody scrolls, and replaces it by the `Cell` when they
   * point at it or click a control of it. Controls have the same order in both. Null: the `Cell` is rendered at once.
   */
  paint?: (value: V, field: FieldPlan, context: PaintContext) => Node | null
  /** In read mode of a form and on cards. Without it `text` is shown, wrapped. */
  ReadValue?: ComponentType<ReadProps<V>>
  /** Without it the property cannot be filtered. */
  Filter?: ComponentType<FilterProps>
  /** The chip's words; without it the label, else the value. */
  filterText?: (value: FilterValue, field: FieldPlan, context: TextContext) => string
  /** A sub-table or the like: a cell opens its rows with `onMore`. */
  nested?: boolean
  /** What it says about a record on a card: its name, its state, a figure, a date. */
  says?: 'name' | 'state' | 'figure' | 'date'
  /** About how high its control is in a form, in pixels, where that is not one line: a large form keeps the room for it. */
  room?: (value: V | null, field: FormField) => number
  /** Takes two columns of a form by default (long texts, sub-tables). */
  wide?: boolean
  /** Loads the editing control; beside a `ui.tsx` of this repository `form.tsx` is found without it. */
  form?: () => Promise<{ FormWidget: FormWidget<V>; check?: TypeCheck }>
}

/** The registry's form: the value type is the property's own affair. */
export type AnyPropertyUI = PropertyUI<never>

/** Declares a property type; the value type is checked across its parts. */
export function defineProperty<V>(property: PropertyUI<V>): AnyPropertyUI {
  return property as unknown as AnyPropertyUI
}

/** null, "" and empty sets are shown as nothing. */
export function isEmptyValue(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}
