import type { ComponentType } from 'react'
import { post } from '@/api/client'
import type { QueryAction, Row } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import type { ActionContext, ActionDialogProps } from '@/sdk/action'
import { useFeedback } from '@/sdk/feedback'
import { useEditRecord, useOpenRecord } from '@/sdk/record-link'
import { useText } from '@/sdk/use-text'
import type { ListController } from '../use-list-controller'
import { useDelete } from './use-delete'

type Context = ActionContext<ListController>
type Dialog = ComponentType<ActionDialogProps<ListController>>

/** Makes what an action of the list gets when it is pressed for some rows. */
export function useActionContext(controller: ListController) {
  const t = useText()
  const locale = useLocale()
  const say = useFeedback()
  const openRecord = useOpenRecord()
  const editRecord = useEditRecord()
  const remove = useDelete(controller)
  const { config, store, refresh } = controller
  const { schemaCode, queryCode } = config
  const address = { schemaCode, queryCode, sheetCode: config.sheetCode ?? null }

  return (button: QueryAction, rows: Row[], dialog?: Dialog): Context => {
    const make = (chosen: Row[]): Context => ({
      ...address,
      button,
      list: controller,
      rows: chosen,
      ids: chosen.map(({ id }) => id),
      all: store.getState().all,
      t,
      locale,
      say,
      openRecord: (to) => openRecord({ ...address, ...to }),
      editRecord: (id) => editRecord({ ...address, id }).catch(say.error),
      remove: () => remove(chosen),
      refresh,
      call: async (input) => {
        const { data } = await post('/api/runtime/query/run_action', {
          schemaCode,
          queryCode,
          actionCode: button.actionCode,
          objectIds: chosen.map(({ id }) => id),
          ...(input ? { input } : {}),
        })
        say.success(t('table.ran', { name: localName(button, locale) || button.actionCode }))
        store.getState().clearSelection()
        await refresh()
        return data
      },
      open: (other = dialog, only = chosen) => {
        if (other) store.getState().openDialog({ Dialog: other, context: make(only) })
      },
    })
    return make(rows)
  }
}
