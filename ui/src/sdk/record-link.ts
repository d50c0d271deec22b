import { type Location, useLocation, useNavigate } from 'react-router'
import { get } from '@/api/client'
import { useIsPhone } from '@/lib/use-media'

export interface RecordAddress {
  schemaCode: string
  sheetCode?: string | null
  queryCode?: string | null
  /** Missing: a new record. */
  id?: string | null
  /** Opens in edit mode at once. */
  edit?: boolean
  /** A new record that begins as a copy of this one. */
  copyFrom?: string | null
  /** What a new record refers to from the beginning. */
  relation?: { propertyCode: string; id: string }
  /** Other values that a new record begins with, as the wire has them; they go with the link and are not in its address. */
  given?: Record<string, unknown>
  /** The record as it was, to read: in a version, at a time, or in the recycle bin. */
  version?: number
  at?: string
  recycled?: boolean
  /** With edit: begins with the contents of this version. */
  revert?: number
}

/** The address of a record's page; the same for the drawer, a full page and a link that is sent around. */
export function recordPath({
  schemaCode,
  sheetCode,
  queryCode,
  id,
  edit,
  copyFrom,
  relation,
  given: _,
  ...life
}: RecordAddress): string {
  const query = new URLSearchParams({ schemaCode })
  if (sheetCode) query.set('sheetCode', sheetCode)
  if (queryCode) query.set('queryCode', queryCode)
  if (id) query.set('key', id)
  if (copyFrom) query.set('copyFrom', copyFrom)
  if (edit) query.set('edit', '1')
  if (relation) {
    query.set('relPropertyCode', relation.propertyCode)
    query.set('relId', relation.id)
  }
  for (const key of ['version', 'at', 'revert'] as const) {
    if (life[key] !== undefined) query.set(key, String(life[key]))
  }
  if (life.recycled) query.set('recycled', '1')
  return `/form/detail?${query}`
}

/** The page behind an open record, when the record was opened from one. */
export function backgroundOf(location: Location): Location | null {
  const state = location.state as { background?: Location } | null
  return state?.background ?? null
}

/** What a link to a form carries: the page that it opens over on a desktop, the way back on a phone. */
export function useFormState(): { from: string } | { background: Location } {
  const location = useLocation()
  return useIsPhone() ? { from: pathOf(location) } : { background: backgroundOf(location) ?? location }
}

/** Opens the address of a form: over the list on a desktop, as a page of its own on a phone. */
export function useOpenForm() {
  const navigate = useNavigate()
  const state = useFormState()
  return (path: string, given?: Record<string, unknown>) =>
    void navigate(path, { state: given ? { ...state, given } : state })
}

export function useOpenRecord() {
  const open = useOpenForm()
  return (address: RecordAddress) => open(recordPath(address), address.given)
}

/** Opens a record to be edited, at the address that the server gives; the way back is the page that one came from. */
export function useEditRecord() {
  const open = useOpenForm()
  const here = pathOf(useLocation())
  return async ({ schemaCode, queryCode, id }: RecordAddress & { id: string }) => {
    const told = await get('/api/runtime/form/get_form_url', { schemaCode, bizObjectId: id })
    const [path, search] = told.split('?')
    const query = new URLSearchParams(search)
    if (queryCode) query.set('queryCode', queryCode)
    query.set('edit', '1')
    query.set('iframeAction', 'detail')
    query.set('return', here)
    open(`${path}?${query}`)
  }
}

const pathOf = ({ pathname, search }: Location) => pathname + search
