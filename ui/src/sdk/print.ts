import { useNavigate } from 'react-router'
import { get, post } from '@/api/client'
import type { components } from '@/api/schema.gen'

/** How many records are printed at once; PrintRequest of the contract. */
export const MOST_PRINTED = 100

/** How many labels are printed at once. */
export const MOST_LABELS = 1000

/** Labels with codes, instead of a template. */
export type PrintLabels = components['schemas']['PrintLabels']

export interface PrintAddress {
  schemaCode: string
  queryCode?: string | null | undefined
  sheetCode?: string | null | undefined
  /** The template; missing = the first. */
  code?: string | null | undefined
  labels?: PrintLabels | null | undefined
  ids: string[]
}

/** The address of the preview of records on paper. */
export function printPath({ schemaCode, queryCode, sheetCode, code, labels, ids }: PrintAddress): string {
  const query = new URLSearchParams({ schemaCode })
  if (queryCode) query.set('queryCode', queryCode)
  if (sheetCode) query.set('sheetCode', sheetCode)
  if (code) query.set('code', code)
  if (labels) query.set('labels', JSON.stringify(labels))
  query.set('objectIds', ids.join())
  return `/print?${query}`
}

export function useOpenPrint() {
  const navigate = useNavigate()
  return (address: PrintAddress) => void navigate(printPath(address))
}

/** The print templates of a model or of one of its forms, one of them whole; of records those that fit one of them. */
export const printTemplates = ({ schemaCode, sheetCode, code, ids }: Omit<PrintAddress, 'ids'> & { ids?: string[] }) =>
  get('/api/runtime/print/attributes', {
    schemaCode,
    ...(ids && ids.length > 0 && ids.length <= MOST_PRINTED ? { objectIds: ids.join() } : {}),
    ...(sheetCode ? { sheetCode } : {}),
    ...(code ? { code } : {}),
  })

export type PrintTemplates = Awaited<ReturnType<typeof printTemplates>>

/** Whether the template is for another program: it has a printJson, and nothing is laid out here. */
export const isExternal = ({ printJson }: PrintTemplates) => printJson !== null

/** Whether no page of the template has an element. */
export const isEmptyTemplate = ({ draftAttributesJson }: PrintTemplates) =>
  !draftAttributesJson?.some(({ elements }) => Array.isArray(elements) && elements.length > 0)

/** The event of the window at which other programs wait for records to print. */
export const PRINT_BATCH = 'startToPrintBatch'

/** Hands records to the program that prints with the template: an event with its code, its printJson and the data. */
export async function handToProgram(template: PrintTemplates, { schemaCode, queryCode, ids }: PrintAddress) {
  const data = await post('/api/runtime/print/load_data', {
    schemaCode,
    objectIds: ids,
    ...(queryCode ? { queryCode } : {}),
  })
  const detail = { code: template.id, printJson: template.printJson, data }
  window.dispatchEvent(new CustomEvent(PRINT_BATCH, { detail }))
}
