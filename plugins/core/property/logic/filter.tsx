import type { FilterProps, Option } from '@sluice/sdk'
import { OptionFilter } from '../shared/option-filter'

const answer = (code: string, name: string, en: string): Option => ({
  code,
  name,
  name_i18n: { en },
  color: null,
  disabled: false,
  parent: null,
})
const ANSWERS = [answer('true', '是', 'Yes'), answer('false', '否', 'No')]

/** Yes, no, or both; found by typing as every choice is. */
export function Filter(props: FilterProps) {
  return <OptionFilter {...props} field={{ ...props.field, choiceType: 'single', options: ANSWERS }} />
}
