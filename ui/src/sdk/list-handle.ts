import type { ListConfig, ListRequest, Row } from '@/api/types'

/** A list on the page, as actions and views get it. */
export interface ListHandle {
  config: ListConfig
  /** What the rows were asked for with: filters, keyword, sort, page. */
  request: ListRequest
  rows: Row[]
  /** Null while the first rows are on their way. */
  total: number | null
  selected: ReadonlyMap<string, Row>
  /** Not only the ticked rows: everything that the filters match. */
  all: boolean
  /** Rows stand below others. */
  tree: boolean
  /** Reads the rows again. */
  refresh: () => Promise<void>
}
