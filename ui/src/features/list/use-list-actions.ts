import { ApiError, post } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import type { QueryAction, Row } from '@/api/types'
import type { IconName } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { isFramed } from '@/lib/embedded'
import { localName } from '@/lib/local-name'
import { hintOf } from '@/sdk/buttons'
import { useFeedback } from '@/sdk/feedback'
import { recordPath, useEditRecord, useOpenRecord } from '@/sdk/record-link'
import { useText } from '@/sdk/use-text'
import { useCustomActions } from './use-custom-actions'
import { useDelete } from './use-delete'
import type { ListController } from './use-list-controller'

/** One object for toolbar, row menu, selection bar and shortcut. */
export interface ListAction {
  name: string
  label: string
  icon: IconName | null
  hint: string | null
  danger: boolean
  /** What it is in the definition: add, edit, custom, ... */
  type: string
  /** Where it is offered. */
  place: 'page' | 'selection' | 'row'
  /** Also for everything that the filters match, not only for ticked rows. */
  all: boolean
  /** Offered in the selection bar only: for one row there is the form. */
  bulk: boolean
  /** A key that runs it for the ticked rows. */
  shortcut: string | null
  enabled: (rows: Row[]) => boolean
  run: (rows: Row[]) => unknown
}

/** What a standard action does, and its word where the definition gives none. */
type Behaviour = Pick<ListAction, 'icon' | 'place' | 'enabled' | 'run'> & {
  danger?: boolean
  all?: boolean
  bulk?: boolean
  shortcut?: string
  text:
    | 'common.add'
    | 'common.edit'
    | 'common.delete'
    | 'bulk.batchUpdate'
    | 'bulk.changeOwner'
    | 'bulk.copy'
    | 'table.track'
}

/** No right to add; adding is no longer offered. */
const REFUSED_ADD: readonly number[] = [ERROR.NoAddPermission, ERROR.NotPublished]

const inWorkflow = (row: Row) => Boolean(row.workflowInstanceId)

const allowed = (name: string) => (rows: Row[]) =>
  rows.length > 0 && rows.every((row) => !row.actions || row.actions.includes(name))

/** A window that is opened with the click, for the browser allows none after an answer; null where it allows none at all. */
function emptyTab(): Window | null {
  const tab = window.open('', '_blank')
  if (tab) tab.opener = null
  return tab
}

/** The actions that the list's definition offers and this client can do. */
export function useListActions(controller: ListController): ListAction[] {
  const { config } = controller
  const locale = useLocale()
  const t = useText()
  const say = useFeedback()
  const openRecord = useOpenRecord()
  const editRecord = useEditRecord()
  const remove = useDelete(controller)
  const opened = (kind: 'batch' | 'owner', rows: Row[]) => {
    const { all } = controller.store.getState()
    const ids = rows.map((row) => row.id)
    controller.store.getState().openBulk({ kind, ids, all, count: all ? (controller.total ?? 0) : ids.length })
  }
  const address = { schemaCode: config.schemaCode, queryCode: config.queryCode, sheetCode: config.sheetCode ?? null }

  const add = config.queryActions.find((action) => action.queryActionType === 'add')

  const behaviours: Record<string, Behaviour> = {
    add: {
      text: 'common.add',
      icon: 'plus',
      place: 'page',
      enabled: () => true,
      run: () => {
        const tab = add?.attributes?.target === 'tab' && !isFramed() ? emptyTab() : null
        return post('/api/runtime/query/add_check', {
          schemaCode: config.schemaCode,
          queryCode: config.queryCode,
        }).then(
          () => {
            if (tab) tab.location.replace(new URL(recordPath(address), window.location.origin))
            else openRecord(address)
          },
          (error: unknown) => {
            tab?.close()
            if (error instanceof ApiError && REFUSED_ADD.includes(error.code)) say.warning(error.message, 4)
            else say.error(error)
          },
        )
      },
    },
    edit: {
      text: 'common.edit',
      icon: 'edit',
      place: 'row',
      enabled: allowed('edit'),
      run: ([row]) => row && editRecord({ ...address, id: row.id }).catch(say.error),
    },
    delete: {
      text: 'common.delete',
      icon: 'trash',
      place: 'selection',
      enabled: allowed('delete'),
      run: remove,
      danger: true,
      all: true,
      shortcut: 'Delete',
    },
    batch_update: {
      text: 'bulk.batchUpdate',
      icon: 'sliders',
      place: 'selection',
      enabled: (rows) => rows.some((row) => !inWorkflow(row) && allowed('batch_update')([row])),
      run: (rows) => {
        const free = rows.filter((row) => !inWorkflow(row))
        if (free.length < rows.length) say.warning(t('bulk.workflow'))
        opened('batch', free)
      },
      all: true,
      bulk: true,
      shortcut: 'b',
    },
    change_owner: {
      text: 'bulk.changeOwner',
      icon: 'user',
      place: 'selection',
      enabled: (rows) => rows.some((row) => allowed('change_owner')([row])),
      run: (rows) => opened('owner', rows),
      all: true,
      shortcut: 'o',
    },
    copy: {
      text: 'bulk.copy',
      icon: 'copy',
      place: 'row',
      enabled: allowed('copy'),
      run: (rows) => rows[0] && openRecord({ ...address, copyFrom: rows[0].id }),
    },
    form_track: {
      text: 'table.track',
      icon: 'history',
      place: 'selection',
      enabled: (rows) => rows.length > 0,
      run: (rows) => controller.store.getState().openPanel({ kind: 'track', rows }),
    },
  }
  const custom = useCustomActions(controller)
  const make = (action: QueryAction): ListAction[] => {
    const found = behaviours[action.queryActionType]
    if (!found) return custom(action)
    const { text, ...behaviour } = found
    controller.script.actions.set(action.actionCode, behaviour.run)
    return [
      {
        name: action.actionCode,
        label: localName(action, locale) || t(text),
        hint: hintOf(action, locale),
        danger: false,
        all: false,
        bulk: false,
        shortcut: null,
        type: action.queryActionType,
        ...behaviour,
        run: (rows) => controller.script.around(action.actionCode, rows, behaviour.run),
      },
    ]
  }
  return [...config.queryActions].sort((a, b) => a.sortKey - b.sortKey).flatMap(make)
}
