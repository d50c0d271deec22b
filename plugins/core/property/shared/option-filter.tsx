import { type FilterProps, localName, type Option, SearchSelect, useChoices, useLocale, useText } from '@sluice/sdk'
import { useState } from 'react'
import { FlatChoice } from './flat-choice'
import { optionCode } from './options'

const NONE: Option[] = []

/** Whether one value can equal several options: only sets do. */
const single = ({ field, operator }: FilterProps, holdsOne: boolean) =>
  field.choiceType === 'single' || (holdsOne && (operator === 'Equal' || operator === 'NotEqual'))

/** One option or several, in a drop-down or side by side. */
function Choices(props: FilterProps & { holdsOne: boolean }) {
  const { id, field, value, onChange, holdsOne } = props
  const t = useText()
  const locale = useLocale()
  const codes = value?.value ? value.value.split(';').map((word) => optionCode(field, word)) : []
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  const choices = useChoices(field, field.options ?? NONE, typed, open)
  const one = single(props, holdsOne)
  const take = (chosen: string[]) => onChange(chosen.length ? { value: chosen.join(';') } : null)
  if (field.displayType === 'flat') {
    const options = (field.options ?? []).map((option) => ({ value: option.code, label: localName(option, locale) }))
    const chosen = codes.length ? { value: codes.join(';') } : null
    return <FlatChoice id={id} options={options} value={chosen} onChange={onChange} multiple={!one} />
  }
  return (
    <SearchSelect
      id={id}
      multiple={!one}
      placeholder={t('list.choose')}
      notFoundContent={choices.pending ? t('common.loading') : t('list.nothingToChoose')}
      value={one ? (codes[0] ?? (null as unknown as string)) : codes}
      onChange={(next) => take(next === undefined || next === null ? [] : [next].flat())}
      pick={(code) =>
        take(one ? [code] : codes.includes(code) ? codes.filter((other) => other !== code) : [...codes, code])
      }
      options={choices.options}
      typed={typed}
      onTyped={setTyped}
      pending={choices.pending}
      find={choices.find}
      open={open}
      onOpenChange={setOpen}
    />
  )
}

/** For a field with one option. */
export const OptionFilter = (props: FilterProps) => <Choices {...props} holdsOne />

/** For a field with several options. */
export const OptionsFilter = (props: FilterProps) => <Choices {...props} holdsOne={false} />
