import { ChoiceSelect, type FormWidgetProps } from '@sluice/sdk'

/** Some options from a list. */
export function FormWidget(props: FormWidgetProps<string[]>) {
  return <ChoiceSelect {...props} multiple />
}
