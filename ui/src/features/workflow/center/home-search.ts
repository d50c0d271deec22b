import type { WorkItemSearch } from '@/sdk/work-items'

/** How many tasks the start page shows. */
const SHOWN = 5

/** What the start page asks for: the newest tasks of the reader, of one application where there is only one. */
export const homeSearch = (appCode: string | undefined): WorkItemSearch => ({
  page: 0,
  size: SHOWN,
  sort: '-receiveTime',
  ...(appCode ? { appCode } : {}),
})
