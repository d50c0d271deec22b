import { Select } from 'antd'
import { useMemo } from 'react'
import type { FormField, Option } from '@/api/types'
import { OptionDot } from '@/components/option-dot'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import styles from './choice-select.module.css'
import type { FormWidgetProps } from './property'
import { textSetting } from './settings'
import { useText } from './use-text'

/** The options that may be chosen now: enabled ones, those chosen already, and below the parent when one decides. */
export function useOptions(field: FormField, chosen: string[], values: () => Record<string, unknown>): Option[] {
  const parentCode = textSetting(field, 'dependsOn')
  const parent = parentCode ? [values()[parentCode] ?? []].flat().map(String) : null
  const parentKey = parent?.join(';')
  const chosenKey = chosen.join(';')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys stand for the arrays, which are new each time
  return useMemo(
    () =>
      (field.options ?? []).filter(
        (option) =>
          chosen.includes(option.code) ||
          (!option.disabled && (parent === null || (!!option.parent && parent.includes(option.parent)))),
      ),
    [field, parentKey, chosenKey],
  )
}

/** One or several options from a list. */
export function ChoiceSelect<V extends string | string[]>(props: FormWidgetProps<V> & { multiple?: boolean }) {
  const { id, field, value, onChange, onBlur, values, invalid, describedBy, placeholder, autoFocus, inCell, multiple } =
    props
  const t = useText()
  const locale = useLocale()
  const chosen = value === null ? [] : ([value].flat() as string[])
  const options = useOptions(field, chosen, values)
  return (
    <Select<string | string[]>
      id={id}
      {...(multiple ? { mode: 'multiple' as const, maxTagCount: 'responsive' as const } : {})}
      value={multiple ? chosen : (chosen[0] ?? (undefined as unknown as string))}
      onChange={(next) => {
        const codes = next === undefined || next === null ? [] : [next].flat()
        if (codes.length === 0) onChange(null)
        else onChange((multiple ? codes : codes[0]) as V)
      }}
      {...(onBlur ? { onBlur } : {})}
      options={options.map((option) => ({ value: option.code, label: localName(option, locale), color: option.color }))}
      optionRender={({ data }) =>
        data.color ? <OptionDot label={String(data.label)} color={data.color} /> : data.label
      }
      showSearch={options.length > 8 ? { optionFilterProp: 'label' } : false}
      allowClear
      autoFocus={autoFocus ?? false}
      variant={inCell ? 'borderless' : 'outlined'}
      status={invalid ? 'error' : ''}
      placeholder={placeholder ?? t('picker.choose')}
      notFoundContent={t('picker.nothing')}
      aria-describedby={describedBy}
      className={styles.select ?? ''}
    />
  )
}
