import { App } from 'antd'
import { useState } from 'react'
import { fetchFile, saveFile } from '@/api/files'
import type { Filter } from '@/api/types'
import { useErrorText } from '@/sdk/error-text'

export type FileType = 'xlsx' | 'pdf'

export const FILE_TYPES: FileType[] = ['xlsx', 'pdf']

export interface ReportExport {
  /** The types that the report allows. */
  types: FileType[]
  busy: boolean
  /** Saves charts as a file; without codes all that the reader sees. */
  save: (fileType: FileType, charts?: string[]) => void
}

/** Exports of a report with the filters that are in force; the server makes the files. */
export function useExport(report: { code: string; exports: string[] } | undefined, filters: Filter[]): ReportExport {
  const { message } = App.useApp()
  const errorText = useErrorText()
  const [busy, setBusy] = useState(false)
  const save = async (fileType: FileType, charts?: string[]) => {
    if (busy || !report) return
    setBusy(true)
    try {
      const asked = { reportCode: report.code, fileType, filters, ...(charts && { charts }) }
      const { blob, name } = await fetchFile('/api/runtime/report/export', asked)
      saveFile(blob, name || `${report.code}.${fileType}`)
    } catch (error) {
      void message.error(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return {
    types: FILE_TYPES.filter((type) => report?.exports.includes(type)),
    busy,
    save: (fileType, charts) => void save(fileType, charts),
  }
}
