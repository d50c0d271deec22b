import { ChoiceSelect, type FormWidgetProps } from '@sluice/sdk'

/** One option from a list. */
export function FormWidget(props: FormWidgetProps<string>) {
  return <ChoiceSelect {...props} />
}
