import { useQueryClient } from '@tanstack/react-query'
import { Button, Dropdown, Tooltip } from 'antd'
import { post } from '@/api/client'
import type { FormLoad, QueryAction } from '@/api/types'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useIsPhone } from '@/lib/use-media'
import type { ActionUI } from '@/sdk/action'
import { associations, hintOf, iconOf, useAskButton, useOpenAnswer } from '@/sdk/buttons'
import { useFeedback } from '@/sdk/feedback'
import type { Press } from '@/sdk/script/press'
import { useText } from '@/sdk/use-text'
import type { FormScript } from '../scripts/use-form-script'
import { formActionUI } from './use-action-context'

/** Buttons that stand side by side; the others are in a menu. */
const INLINE = 3

interface Props {
  load: FormLoad
  script: FormScript
  editing: boolean
  onRun: (button: QueryAction, ui: ActionUI) => unknown
}

/** What the buttons do, with what they ask and without the script's hooks around them. */
function usePress({ load, script, onRun }: Props) {
  const t = useText()
  const locale = useLocale()
  const say = useFeedback()
  const ask = useAskButton()
  const open = useOpenAnswer()
  const client = useQueryClient()
  return async (button: QueryAction, by: Press): Promise<unknown> => {
    if (!(await ask(button))) return undefined
    const ui = formActionUI(button.queryActionType)
    if (ui) return onRun(button, ui)
    if (button.associationType === associations.script) return script.custom(button.actionCode, by)
    const { schemaCode, sheetCode } = load.form
    try {
      const answer = await post('/api/runtime/query/run_action', {
        schemaCode,
        sheetCode,
        actionCode: button.actionCode,
        objectIds: load.id ? [load.id] : [],
      })
      open(answer, button)
      if (button.associationType !== associations.action) return null
      say.success(t('table.ran', { name: localName(button, locale) }))
      void client.invalidateQueries({ queryKey: ['list', schemaCode] })
      if (button.attributes?.refresh !== false) void client.invalidateQueries({ queryKey: ['record', schemaCode] })
      return answer.data
    } catch (error) {
      say.error(error)
      return undefined
    }
  }
}

/**
 * The form's own buttons that this record takes now. While it is edited only those of the script are there: the others act on
 * the record as it is saved.
 */
export function FormButtons(props: Props) {
  const { load, script, editing } = props
  const t = useText()
  const locale = useLocale()
  const phone = useIsPhone()
  const press = usePress(props)
  const shown = load.form.buttons.filter(
    (button) =>
      load.actions.includes(button.actionCode) && (!editing || button.associationType === associations.script),
  )
  for (const button of shown) script.actions.set(button.actionCode, (by) => press(button, by))
  const run = (button: QueryAction) =>
    script.pressed(button.actionCode, async (by) => {
      const result = await press(button, by)
      if (result !== undefined || button.associationType === associations.script)
        await script.done(button.actionCode, result, by)
    })
  const inline = phone ? 0 : shown.length > INLINE ? INLINE - 1 : INLINE
  const rest = shown.slice(inline)
  const name = (button: QueryAction) => localName(button, locale) || button.actionCode
  return (
    <>
      {shown.slice(0, inline).map((button) => {
        const icon = iconOf(button.attributes)
        const hint = hintOf(button, locale)
        return (
          <Tooltip key={button.actionCode} title={hint}>
            <Button
              danger={button.attributes?.danger === true}
              disabled={script.busy}
              {...(icon ? { icon: <Icon name={icon} /> } : {})}
              onClick={() => void run(button)}
            >
              {name(button)}
            </Button>
          </Tooltip>
        )
      })}
      {rest.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: rest.map((button) => {
              const icon = iconOf(button.attributes)
              const hint = hintOf(button, locale)
              return {
                key: button.actionCode,
                label: name(button),
                danger: button.attributes?.danger === true,
                disabled: script.busy,
                ...(hint ? { title: hint } : {}),
                ...(icon ? { icon: <Icon name={icon} /> } : {}),
                onClick: () => void run(button),
              }
            }),
          }}
        >
          <Button type={phone ? 'text' : 'default'} aria-label={t('form.moreActions')} icon={<Icon name="more" />} />
        </Dropdown>
      )}
    </>
  )
}
