import { type FormWidgetProps, useText } from '@sluice/sdk'

/** Opinions are written by the workflow; a form only shows that there are none to write here. */
export function FormWidget(_: FormWidgetProps<unknown[]>) {
  const t = useText()
  return <span style={{ color: 'var(--faint-text)' }}>{t('form.opinionHint')}</span>
}
