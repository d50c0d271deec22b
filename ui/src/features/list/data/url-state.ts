import type { Filters } from '@/sdk/conditions'
import { readFilters, writeFilters } from '@/sdk/filter-address'
import { type Behind, readBehind, writeBehind } from '@/sdk/list-address'

export const PAGE_SIZES = [10, 20, 50, 100, 200, 300, 500]
export const DEFAULT_SIZE = 20
/** A chart says little about twenty rows. */
export const CHART_SIZE = 500
/** Characters that the list call takes. */
export const MAX_KEYWORD = 100

export interface Sort {
  code: string
  /** 1 ascending, 2 descending, as on the wire. */
  direction: 1 | 2
}

const OURS = /^(page|size|sort|q|saved|behind|figure|[flo]\..+)$/

/** What a list shows, as its address says it. */
export interface ListView {
  /** From zero. */
  page: number
  size: number
  sort: Sort | null
  filters: Filters
  /** What the search box holds. */
  keyword?: string
  /** Properties whose comparison the address names without anything to compare with. */
  bare?: Record<string, string>
  /** Id of the saved filter that they come from. */
  saved?: string
  /** The figure of a report from which the list was opened. */
  behind?: Behind
}

/** Reads `page=2&size=50&sort=-checkDate&q=闸室&f.result=OK;BAD&l.inspector=赵启明`. */
export function readView(search: URLSearchParams, defaultSize = DEFAULT_SIZE): ListView {
  const size = Number(search.get('size'))
  const page = Number(search.get('page'))
  const sort = search.get('sort')
  const keyword = search.get('q')?.replaceAll('\0', '').slice(0, MAX_KEYWORD)
  const { filters, bare } = readFilters(search)
  const behind = readBehind(search)
  return {
    page: Number.isInteger(page) && page > 0 ? page - 1 : 0,
    size: PAGE_SIZES.includes(size) ? size : defaultSize,
    sort: sort ? { code: sort.replace(/^-/, ''), direction: sort.startsWith('-') ? 2 : 1 } : null,
    filters,
    ...(keyword ? { keyword } : {}),
    ...(Object.keys(bare).length > 0 ? { bare } : {}),
    ...(search.get('saved') ? { saved: search.get('saved') as string } : {}),
    ...(behind ? { behind } : {}),
  }
}

/** Whether an address says anything about what the list shows; then nothing remembered is put into it. */
export const saysView = (search: URLSearchParams) => [...search.keys()].some((key) => OURS.test(key))

/** Writes a view into an address; what is not ours (code, queryCode, parentId) stays. */
export function writeView(search: URLSearchParams, view: ListView, defaultSize = DEFAULT_SIZE): URLSearchParams {
  const next = new URLSearchParams([...search].filter(([key]) => !OURS.test(key)))
  if (view.page > 0) next.set('page', String(view.page + 1))
  if (view.size !== defaultSize) next.set('size', String(view.size))
  if (view.sort) next.set('sort', `${view.sort.direction === 2 ? '-' : ''}${view.sort.code}`)
  if (view.keyword) next.set('q', view.keyword)
  if (view.saved) next.set('saved', view.saved)
  if (view.behind) writeBehind(next, view.behind)
  writeFilters(next, view.filters)
  for (const [code, operator] of Object.entries(view.bare ?? {})) {
    if (!view.filters[code]) next.set(`o.${code}`, operator)
  }
  return next
}
