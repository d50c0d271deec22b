/**
 * The types of author scripts; docs/scripts.md explains them. In a script beside a list:
 *
 *     /** @type {import('../../../docs/sluice-script').ListScript} *\/
 *     const script = { options: { version: '1.1' }, hooks: { … } }
 *     export default script
 */

/** A value that JSON can hold. Only such values cross between page and script. */
export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain }

export type Tone = 'success' | 'warning' | 'error' | 'info' | 'muted'

/** The file beside a list, named by `queryPresentation.script`: its default export. */
export interface ListScript {
  options: { version: '1.0' | '1.1' }
  hooks: {
    /** Before the rows are asked for. What it returns replaces these parts of the request. */
    onPreLoad?(event: PreLoadEvent, page: ListPage): Answer<RequestChange>
    /** The rows have come. What it returns changes how they look, never what is stored. */
    onLoad?(event: LoadEvent, page: ListPage): Answer<{ rows?: RowMark[] }>
    /** The rows are on the screen. */
    onRendered?(event: { rows: ScriptRow[] }, page: ListPage): Answer<void>
    /** A button was pressed. `false` keeps its action from running. */
    onPreAction?(event: ActionEvent, page: ListPage): Answer<boolean>
    /** The action has run. */
    onActionDone?(event: ActionEvent & { result: Plain }, page: ListPage): Answer<void>
  }
  /** From version 1.1. */
  apis?: { getQueryList?: QueryListRequest | { request: QueryListRequest; mode?: 'combine' | 'replace' } }
}

export type Answer<T> = T | undefined | null | Promise<T | undefined | null>

export interface ListQuery {
  schemaCode: string
  queryCode: string
  filters: QueryFilter[]
  orderByFields?: string[]
  /** 1 ascending, 2 descending. */
  orderType?: 1 | 2
  /** From zero. */
  page: number
  size: number
}

/** A comparison, or a group of them. */
export interface QueryFilter {
  propertyCode?: string
  propertyType?: number | string
  propertyValue?: Plain
  propertyValueName?: string
  queryFilterType?: string | number
  and?: QueryFilter[]
  or?: QueryFilter[]
}

export interface PreLoadEvent {
  request: ListQuery
}

export interface RequestChange {
  filters?: QueryFilter[]
  orderByFields?: string[]
  orderType?: 1 | 2
}

export interface ScriptRow {
  id: string
  /** By the column's code, as the list call gives it: exact numbers are texts, people and records are {id, name}. */
  data: { [propertyCode: string]: Plain }
}

export interface LoadEvent extends PreLoadEvent {
  rows: ScriptRow[]
  total: number
}

export interface ActionEvent {
  /** `actionCode` of the button. */
  action: string
  /** The rows that it is for. */
  rows: ScriptRow[]
}

/** How one cell looks. */
export interface CellMark {
  /** Stands in place of the value's words; at most 200 characters. */
  text?: string
  tone?: Tone
  /** Shown when the cell is pointed at. */
  hint?: string
  /** For the list's style file: up to three names of letters, digits and "-". */
  className?: string
}

/** How one row looks. */
export interface RowMark {
  id: string
  tone?: Tone
  className?: string
  cells?: { [propertyCode: string]: CellMark }
}

/** Rows from elsewhere. Their values are shown as texts; they carry no actions. */
export interface ExtraRows {
  content: { id: string; data: { [propertyCode: string]: Plain } }[]
  totalElements?: number
}

/**
 * `replace`: these rows stand in place of the list's own. `combine`: the list's own call runs too; a row with the id of one of
 * them gives that row's cells new texts, the others follow at the end.
 */
export type QueryListRequest = (page: ListPage, http: Http, config: ScriptConfig) => ExtraRows | Promise<ExtraRows>

export interface ScriptConfig {
  locale: 'zh' | 'en'
  schemaCode: string
  queryCode: string
  request: ListQuery
}

/** Calls of the platform, with the rights of the person at the screen. */
export interface Http {
  get(path: string, query?: { [name: string]: string | number | boolean }): Promise<Plain>
  post(path: string, body?: Plain): Promise<Plain>
}

/** What every page gives its script. */
export interface Page {
  readonly locale: 'zh' | 'en'
  /** The text of the person's language, Chinese when there is no other. */
  i18n(texts: { zh: string; en?: string }): string
  /** A short message; at most 200 characters. */
  message(text: string, kind?: 'info' | 'success' | 'warning' | 'error'): Promise<null>
  /** Asks, and reports whether the person agreed. Time spent waiting for the answer does not count. */
  confirm(text: string, title?: string): Promise<boolean>
  readonly http: Http
}

export interface ListPage extends Page {
  /** Filters in force, by property. */
  getFilters(): Promise<{ [propertyCode: string]: string }>
  /** Sets filters of the list's own conditions; null clears one. The list loads again. */
  setFilters(filters: { [propertyCode: string]: string | null }): Promise<null>
  getSelection(): Promise<ScriptRow[]>
  getRows(): Promise<ScriptRow[]>
  refresh(): Promise<null>
  /** Until the page is left; the person's own choice of columns is kept. */
  setColumnVisible(propertyCode: string, visible: boolean): Promise<null>
  openRecord(id: string): Promise<null>
  /**
   * Does what a button of the list does, for the rows with these ids. The script's own hooks do not run for it. Only in `onPreAction` and
   * `onActionDone`, while they run: a person pressed a button.
   */
  callAction(action: string, ids?: string[]): Promise<Plain>
}

/** The file beside a form, named by `script`: its default export. */
export interface FormScript {
  options: { version: '1.0' | '1.1' }
  hooks: {
    /** The record was opened; again when its editing begins or ends. */
    onLoad?(event: FormEvent, form: FormPage): Answer<void>
    /** The form is on the screen. */
    onRendered?(event: FormEvent, form: FormPage): Answer<void>
    /** Before saving, after the form's own checks. A message at a field keeps the record from being saved. */
    onValidate?(event: FormEvent, form: FormPage): Answer<{ [propertyCode: string]: string } | true>
    /** `save`, `delete`, or a button of the form. `false` keeps it from running. */
    onPreAction?(event: FormActionEvent, form: FormPage): Answer<boolean>
    /** It has run. */
    onActionDone?(event: FormActionEvent & { result: Plain }, form: FormPage): Answer<void>
    /** A button of the form that is the script's. */
    onCustomAction?(event: FormActionEvent, form: FormPage): Answer<void>
  }
}

export type Values = { [propertyCode: string]: any }

export interface FormEvent {
  record: { id: string | null; version: number | null; name: string }
  editing: boolean
  /** By property, as the wire has them; a missing one is empty. */
  values: Values
}

export interface FormActionEvent extends FormEvent {
  /** `save`, `delete`, or the `actionCode` of a button. */
  action: string
}

export interface FormPage extends Page {
  getRecord(): Promise<{
    id: string | null
    version: number | null
    name: string
    schemaCode: string
    sheetCode: string
    editing: boolean
  }>
  getUser(): Promise<{ id: string; username: string; name: string; departmentName: string | null }>
  /** Empty for fields that the person's roles do not show. */
  getValue(propertyCode: string): Promise<any>
  getValues(): Promise<Values>
  /** While the form is edited, for fields that the person may write; null empties. */
  setValue(propertyCode: string, value: Plain): Promise<null>
  setValues(values: { [propertyCode: string]: Plain }): Promise<null>
  /** `true` takes back what the script hid; what roles or formulas hide stays hidden. */
  setVisible(propertyCode: string, visible: boolean): Promise<null>
  /** `false` takes back what the script required, and nothing else. */
  setRequired(propertyCode: string, required: boolean): Promise<null>
  /** `false` takes back what the script locked, and nothing else. */
  setReadonly(propertyCode: string, readonly: boolean): Promise<null>
  getRows(sheetCode: string): Promise<Values[]>
  /** Answers the row's index. */
  addRow(sheetCode: string, row?: { [propertyCode: string]: Plain }): Promise<number>
  setRow(sheetCode: string, index: number, row: { [propertyCode: string]: Plain }): Promise<null>
  removeRow(sheetCode: string, index: number): Promise<null>
  /**
   * `save`, or a button of the form. The script's own hooks do not run for it. Only in `onPreAction`, `onCustomAction` and `onActionDone`,
   * while they run: a person pressed a button.
   */
  callAction(action: string): Promise<null>
  edit(): Promise<null>
  refresh(): Promise<null>
  close(): Promise<null>
}

/** The file beside a portal page, named by `script`: its default export. */
export interface PortalScript {
  options: { version: '1.0' | '1.1' }
  hooks: {
    /** The page is on the screen. */
    onPageEnter?(event: PortalEvent, page: PortalScriptPage): Answer<void>
    /** What `page.onEnter` and `page.onLeave` of the document name. The event of the latter is empty. */
    [name: string]: ((event: PortalEvent, page: PortalScriptPage) => Answer<void>) | undefined
  }
}

export interface PortalEvent {
  portalCode: string
  name: string
  user: { id: string; name: string }
}

export interface PortalScriptPage extends Page {
  /** Reads the data of a widget again; without a code that of all. */
  refresh(code?: string): Promise<null>
  /** Until the page is left. */
  setVisible(code: string, visible: boolean): Promise<null>
  /** Opens a path of this system. */
  navigate(path: string): Promise<null>
}
