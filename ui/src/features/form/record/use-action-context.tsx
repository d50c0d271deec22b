import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, Suspense, useState } from 'react'
import { post } from '@/api/client'
import type { FormLoad, QueryAction, Row } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { actionUI } from '@/registry/registry'
import type { ActionContext, ActionDialogProps, ActionUI } from '@/sdk/action'
import { useFeedback } from '@/sdk/feedback'
import { useEditRecord, useOpenRecord } from '@/sdk/record-link'
import { useText } from '@/sdk/use-text'

interface OpenDialog {
  Dialog: ComponentType<ActionDialogProps>
  context: ActionContext
}

/** The button of a word that a form only names: copy, delete. */
export const wordButton = (name: string): QueryAction => ({
  actionCode: name,
  queryActionType: name,
  name: '',
  name_i18n: {},
  associationType: 0,
  associationCode: null,
  extend1: null,
  attributes: {},
  row: false,
  hint: null,
  hint_i18n: {},
  confirm: null,
  confirm_i18n: {},
  sortKey: 0,
})

/** The interface of a form's button, where a pack brings one for forms. */
export const formActionUI = (name: string): ActionUI | undefined => {
  const ui = actionUI(name) as ActionUI | undefined
  return ui?.form ? ui : undefined
}

/** Runs buttons of a form by their interface, and draws the dialog that one opened. */
export function useActionContext(load: FormLoad, remove: () => unknown) {
  const t = useText()
  const locale = useLocale()
  const say = useFeedback()
  const client = useQueryClient()
  const openRecord = useOpenRecord()
  const editRecord = useEditRecord()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const { schemaCode, sheetCode } = load.form
  const address = { schemaCode, sheetCode, queryCode: null }
  const refresh = async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['list', schemaCode] }),
      client.invalidateQueries({ queryKey: ['record', schemaCode] }),
    ])
  }

  const contextOf = (button: QueryAction, ui: ActionUI): ActionContext => {
    const ids = load.id ? [load.id] : []
    const context: ActionContext = {
      ...address,
      button,
      list: null,
      rows: ids.map((id) => ({ id, data: load.data, version: load.version }) as unknown as Row),
      ids,
      all: false,
      t,
      locale,
      say,
      openRecord: (to) => openRecord({ ...address, ...to }),
      editRecord: (id) => editRecord({ ...address, id }).catch(say.error),
      remove: async () => remove(),
      refresh,
      call: async (input) => {
        const { data } = await post('/api/runtime/query/run_action', {
          schemaCode,
          sheetCode,
          actionCode: button.actionCode,
          objectIds: ids,
          ...(input ? { input } : {}),
        })
        say.success(t('table.ran', { name: localName(button, locale) || button.actionCode }))
        await refresh()
        return data
      },
      open: (dialog = ui.Dialog) => dialog && setOpen({ Dialog: dialog, context }),
    }
    return context
  }
  const run = (button: QueryAction, ui: ActionUI): unknown => {
    const context = contextOf(button, ui)
    if (ui.run) return ui.run(context)
    return ui.Dialog ? context.open() : context.call().catch(say.error)
  }
  const dialog = open && (
    <Suspense fallback={null}>
      <open.Dialog context={open.context} onClose={() => setOpen(null)} />
    </Suspense>
  )
  return { run, dialog }
}
