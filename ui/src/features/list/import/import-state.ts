import type { ImportFields, ImportResult, Mode } from './api'

/** How an import ended, by the names that the platform gives it. */
export type Status =
  | 'Unspecified'
  | 'Success'
  | 'DataNumExceed'
  | 'DataColumnError'
  | 'PartialSuccess'
  | 'SystemError'
  | 'FaileReImport'

const STATUSES: Record<number, Status> = {
  0: 'Success',
  1: 'PartialSuccess',
  2: 'DataColumnError',
  3: 'DataNumExceed',
  8: 'FaileReImport',
}

/** Unspecified while it runs; whatever has no name of its own is a fault of the system. */
export function statusOf(result: Pick<ImportResult, 'errorType' | 'state'> | null): Status {
  if (!result || result.state === 'queued' || result.state === 'running') return 'Unspecified'
  if (result.errorType === null) return 'SystemError'
  return STATUSES[result.errorType] ?? 'SystemError'
}

/** Some rows were written, others wait. */
export const isHalf = (status: Status) => status === 'PartialSuccess' || status === 'FaileReImport'

export type Button = 'cancel' | 'confirm' | 'again'

/** The buttons below: closing, acknowledging what ended, and importing once more. */
export function buttonsOf(status: Status): Button[] {
  switch (status) {
    case 'Unspecified':
      return ['cancel']
    case 'SystemError':
      return ['cancel', 'again']
    default:
      return ['confirm']
  }
}

/** Whether an ended import leads to the correction of its rows. */
export const correctable = (result: ImportResult) =>
  isHalf(statusOf(result)) && result.headColumns.length > 0 && result.errorCount > 0

export type FileRefusal = 'extension' | 'second' | 'empty'

const EXTENSIONS = ['.xlsx', '.xlsm', '.csv', '.xls', '.ods', '.et']

/** The file among those that were dropped, or why there is none. Spreadsheets of other programs are sent, since the server says what to do with them. */
export function chooseFile(files: File[], taken: boolean): File | FileRefusal {
  const [file] = files
  if (!file) return 'empty'
  if (taken || files.length > 1) return 'second'
  const name = file.name.toLowerCase()
  return EXTENSIONS.some((extension) => name.endsWith(extension)) ? file : 'extension'
}

export const ACCEPT = EXTENSIONS.join(',')

export interface Settings {
  /** Undefined while nobody has chosen. */
  mode?: Mode
  queryField?: string
  clearEmpty: boolean
  /** Rows of sub-tables that the file does not have are removed from the records that it has. */
  replaceLines: boolean
}

/** Given by the server with each new record: no file brings it for them. */
const NUMBER = 'sequenceNo'

/** What is set while nobody has chosen: where a property names each record, rows find their records by it, so that none comes twice. */
export function settled(settings: Settings, fields: ImportFields | undefined): Required<Settings> {
  const key = fields?.queryFields.find((one) => one.unique && one.propertyCode !== NUMBER)?.propertyCode ?? ''
  const wanted = settings.mode ?? (key ? 'addOrUpdate' : 'add')
  const modes = fields?.modes ?? []
  const mode = modes.length === 0 || modes.includes(wanted) ? wanted : (modes[0] ?? wanted)
  return {
    ...settings,
    mode,
    queryField: settings.queryField ?? key,
    clearEmpty: mode !== 'add' && settings.clearEmpty,
    replaceLines: mode !== 'add' && (fields?.lines ?? false) && settings.replaceLines,
  }
}
