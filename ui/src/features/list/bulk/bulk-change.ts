import { createContext, useContext } from 'react'
import type { ActionContext } from '@/sdk/action'
import type { ListController } from '../use-list-controller'
import { type BulkOutcome, selectionOf } from './api'

/** How a change of many records ends: what was done, and how a full success is said. */
export type Finish = (outcome: BulkOutcome, success: string) => void

export const FinishContext = createContext<Finish>(() => {})

/** What the dialog of a change to many records works on. */
export function useBulkChange({ list, ids, all }: ActionContext<ListController>) {
  const onFinish = useContext(FinishContext)
  if (!list) throw new Error('many records are changed in lists only')
  return {
    config: list.config,
    onFinish,
    selection: selectionOf(list.request, ids, all),
    count: all ? (list.total ?? 0) : ids.length,
  }
}
