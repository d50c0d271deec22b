import type { QueryAction, Row } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { actionUI, useRegistry } from '@/registry/registry'
import { unknownName } from '@/registry/unknown'
import { type ActionUI, everyRowTakes } from '@/sdk/action'
import { associations, hintOf, iconOf, startsWorkflow } from '@/sdk/buttons'
import { useText } from '@/sdk/use-text'
import type { ListController } from '../use-list-controller'
import { type ListAction, plainAction } from './list-action'
import { useActionContext } from './use-action-context'
import { useCustomActions } from './use-custom-actions'
import { useStartWorkflow } from './use-start-workflow'

/** The buttons that the list's definition offers, as their interface draws them; one that none draws is there and rests. */
export function useListActions(controller: ListController): ListAction[] {
  useRegistry()
  const { config, script } = controller
  const locale = useLocale()
  const t = useText()
  const contextOf = useActionContext(controller)
  const custom = useCustomActions(controller)
  const start = useStartWorkflow(config)

  const known = (button: QueryAction, ui: ActionUI<ListController>): ListAction[] => {
    const { list } = ui
    if (!list) return []
    const own = typeof ui.label === 'function' ? ui.label(t) : ui.label?.[locale]
    const run = (rows: Row[]) => {
      if (startsWorkflow(button)) return start(button, rows)
      const context = contextOf(button, rows, ui.Dialog)
      if (ui.run) return ui.run(context)
      return ui.Dialog ? context.open() : context.call().catch(context.say.error)
    }
    script.actions.set(button.actionCode, run)
    return [
      {
        name: button.actionCode,
        label: localName(button, locale) || own || button.actionCode,
        hint: hintOf(button, locale) ?? (rests(ui, button) ? t('list.notWithWorkflow') : null),
        icon: iconOf(button.attributes) ?? ui.icon ?? null,
        danger: ui.danger ?? button.attributes?.danger === true,
        place: button.row ? 'row' : list.place,
        inRow: button.row,
        primary: list.primary ?? false,
        all: list.all ?? false,
        bulk: list.bulk ?? false,
        shortcut: list.shortcut ?? null,
        tool: list.tool?.(t) ?? null,
        unticked: list.unticked ?? false,
        more: (list.more ?? []).map(({ name, text, run }) => ({
          name,
          label: text(t),
          run: () => (run as (context: unknown) => unknown)(contextOf(button, [])),
        })),
        enabled: (rows) =>
          ui.enabled ? ui.enabled(rows, button) : list.place === 'page' || everyRowTakes(rows, button),
        run: (rows) => script.around(button.actionCode, rows, run),
      },
    ]
  }
  const make = (button: QueryAction): ListAction[] => {
    const ui = actionUI(button.queryActionType) as ActionUI<ListController> | undefined
    if (ui) return known(button, ui)
    const own = custom(button)
    return own.length > 0 ? own : [unknown(button)]
  }
  return [...config.queryActions].sort((a, b) => a.sortKey - b.sortKey).flatMap(make)
}

/** A button of the page that starts a workflow, for which its action is not made. */
const rests = ({ list, enabled }: ActionUI<ListController>, button: QueryAction) =>
  list?.place === 'page' && button.associationType === associations.workflow && enabled?.([], button) === false

/** A button that no loaded interface draws: it is shown by its name and cannot be pressed. */
const unknown = (button: QueryAction): ListAction => ({
  ...plainAction({
    name: button.actionCode,
    label: `${unknownName('actions', button.queryActionType)}?`,
    icon: 'alert',
    run: () => {},
  }),
  place: button.row ? 'row' : 'page',
  inRow: button.row,
  enabled: () => false,
})
