import { post } from '@/api/client'
import type { QueryAction, Row } from '@/api/types'
import type { IconName } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useFeedback } from '@/sdk/feedback'
import { useOpenRecord } from '@/sdk/record-link'
import { useDelete } from './use-delete'
import type { ListController } from './use-list-controller'

/** One object for toolbar, row menu, selection bar and shortcut. */
export interface ListAction {
  name: string
  label: string
  icon: IconName | null
  hint: string | null
  danger: boolean
  /** Where it is offered. */
  place: 'page' | 'selection' | 'row'
  enabled: (rows: Row[]) => boolean
  run: (rows: Row[]) => void
}

type Behaviour = Pick<ListAction, 'icon' | 'place' | 'enabled' | 'run'> & { danger?: boolean }

const allowed = (name: string) => (rows: Row[]) =>
  rows.length > 0 && rows.every((row) => !row.actions || row.actions.includes(name))

/** The actions that the list's definition offers and this client can do. */
export function useListActions(controller: ListController): ListAction[] {
  const { config } = controller
  const locale = useLocale()
  const say = useFeedback()
  const openRecord = useOpenRecord()
  const remove = useDelete(config, controller.afterDelete)
  const address = { schemaCode: config.schemaCode, queryCode: config.queryCode, sheetCode: config.sheetCode ?? null }

  const behaviours: Record<string, Behaviour> = {
    add: {
      icon: 'plus',
      place: 'page',
      enabled: () => true,
      run: () => {
        post('/api/runtime/query/add_check', { schemaCode: config.schemaCode, queryCode: config.queryCode }).then(
          () => openRecord(address),
          say.error,
        )
      },
    },
    edit: {
      icon: 'edit',
      place: 'row',
      enabled: allowed('edit'),
      run: (rows) => rows[0] && openRecord({ ...address, id: rows[0].id }),
    },
    delete: { icon: 'trash', place: 'selection', enabled: allowed('delete'), run: remove, danger: true },
  }
  const make = (action: QueryAction): ListAction[] => {
    const behaviour = behaviours[action.queryActionType]
    if (!behaviour) return []
    return [
      {
        name: action.actionCode,
        label: localName(action, locale),
        hint: action.hint ?? null,
        danger: false,
        ...behaviour,
      },
    ]
  }
  return [...config.queryActions].sort((a, b) => a.sortKey - b.sortKey).flatMap(make)
}
