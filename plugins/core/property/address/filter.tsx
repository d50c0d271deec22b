import { type FilterProps, localName, useLocale, useText } from '@sluice/sdk'
import { DivisionSelect } from './division-select'

/** A division represents itself and all below it. */
export function Filter({ id, value, onChange }: FilterProps) {
  const t = useText()
  const locale = useLocale()
  const text = value?.value ?? ''
  const code = /^\d+$/.test(text) ? text : null
  return (
    <DivisionSelect
      id={id}
      code={text || null}
      label={value?.label ?? (code ? undefined : text)}
      levels={3}
      placeholder={t('list.choose')}
      onChange={(place) => {
        const last = place?.at(-1)
        const label = place?.map((one) => localName(one, locale)).join(locale === 'en' ? ' ' : '')
        onChange(last ? { value: last.code, label: label ?? '' } : null)
      }}
    />
  )
}
