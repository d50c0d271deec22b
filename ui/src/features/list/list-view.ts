import type { ComponentType } from 'react'
import type { ListConfig } from '@/api/types'
import { viewUI } from '@/registry/registry'
import type { ViewUI } from '@/sdk/pack'
import type { ListController } from './use-list-controller'

type View = ViewUI<ListController>

/** The view that draws the whole page where a view draws rows only, on a desktop and on a phone. */
const WIDE = 'table'
const PHONE = 'cards'

/** What draws a list, by its presentation. */
export const listViewOf = (presentationType: string) => viewUI(presentationType) as View | undefined

/** What draws the page of a list. */
export function listPageOf(
  presentationType: string,
  phone: boolean,
): ComponentType<{ config: ListConfig }> | undefined {
  const own = listViewOf(presentationType)
  const page = own?.Page && (!phone || own.phone) ? own.Page : listViewOf(phone && !own?.phone ? PHONE : WIDE)?.Page
  return page
}
