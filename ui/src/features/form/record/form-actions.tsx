import { Button } from 'antd'
import type { FormLoad, QueryAction } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { allActions, useRegistry } from '@/registry/registry'
import type { ActionUI } from '@/sdk/action'
import { useText } from '@/sdk/use-text'
import type { FormScript } from '../scripts/use-form-script'
import { formActionUI, wordButton } from './use-action-context'

interface Props {
  load: FormLoad
  script: FormScript
  run: (button: QueryAction, ui: ActionUI) => unknown
}

/** The words among a form's actions that the registry draws: what is done with the record as it is saved. */
export function FormActions({ load, script, run }: Props) {
  useRegistry()
  const t = useText()
  const locale = useLocale()
  const buttons = new Set(load.form.buttons.map((button) => button.actionCode))
  const words = allActions().filter(({ name }) => load.actions.includes(name) && !buttons.has(name))
  return words.map(({ name, label }) => {
    const ui = formActionUI(name)
    if (!ui) return null
    return (
      <Button key={name} onClick={() => void script.pressed(name, () => run(wordButton(name), ui))}>
        {typeof label === 'function' ? label(t) : (label?.[locale] ?? name)}
      </Button>
    )
  })
}
