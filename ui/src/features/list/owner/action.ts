import { lazy } from 'react'
import { defineAction, everyRowTakes } from '@/sdk/action'
import type { ListController } from '../use-list-controller'

/** Gives records to another owner. */
export const changeOwner = defineAction<ListController>({
  name: 'change_owner',
  label: (t) => t('bulk.changeOwner'),
  icon: 'user',
  list: { place: 'selection', all: true, shortcut: 'o' },
  enabled: (rows, button) => rows.some((row) => everyRowTakes([row], button)),
  Dialog: lazy(() => import('./owner-dialog').then((m) => ({ default: m.OwnerDialog }))),
})
