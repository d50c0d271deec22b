import { post } from '@/api/client'
import type { QueryAction, Row } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { associations, hintOf, iconOf, startsWorkflow, useAskButton, useOpenAnswer } from '@/sdk/buttons'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import type { ListController } from '../use-list-controller'
import { type ListAction, plainAction } from './list-action'

/** The buttons that a definition makes itself. What one does is the server's to say, each time it is pressed. */
export function useCustomActions(controller: ListController) {
  const t = useText()
  const locale = useLocale()
  const say = useFeedback()
  const ask = useAskButton()
  const open = useOpenAnswer()
  const { config, script } = controller
  const { schemaCode, queryCode } = config

  const press = async (action: QueryAction, rows: Row[]) => {
    const type = action.associationType
    if (type === associations.none || type === associations.script) return undefined
    const objectIds = startsWorkflow(action) && !action.row ? [] : rows.map((row) => row.id)
    try {
      const answer = await post('/api/runtime/query/run_action', {
        schemaCode,
        queryCode,
        actionCode: action.actionCode,
        objectIds,
      })
      open(answer, action)
      if (type !== associations.action) return answer
      say.success(t('table.ran', { name: localName(action, locale) }))
      if (action.attributes?.refresh !== false) await controller.refresh()
      return answer.data
    } catch (error) {
      say.error(error)
      return undefined
    }
  }
  return (action: QueryAction): ListAction[] => {
    const type = action.associationType
    if (action.queryActionType !== 'custom' && type !== associations.action) return []
    const run = async (rows: Row[]) => {
      const chosen = action.row ? rows : [...controller.store.getState().selected.values()]
      return (await ask(action)) ? press(action, chosen) : undefined
    }
    script.actions.set(action.actionCode, run)
    return [
      {
        ...plainAction({
          name: action.actionCode,
          label: localName(action, locale) || action.actionCode,
          icon: iconOf(action.attributes),
          run: (rows: Row[]) => script.around(action.actionCode, rows, run),
        }),
        hint: hintOf(action, locale),
        danger: action.attributes?.danger === true,
        place: action.row ? 'row' : 'page',
        inRow: action.row,
        enabled: (rows) => !action.row || rows.every((row) => row.actions?.includes(action.actionCode) ?? false),
      },
    ]
  }
}
