import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useMemo, useState } from 'react'
import { post } from '@/api/client'
import type { FormField, Option } from '@/api/types'
import { OptionDot } from '@/components/option-dot'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import styles from './choice-select.module.css'
import { dependsOnValues, useFormPlace } from './form-place'
import type { FormWidgetProps } from './property'
import { textSetting } from './settings'
import { useText } from './use-text'

/** The codes that the field's condition offers with the form's values now; null without a condition. */
function useOffered(field: FormField, schemaCode: string, values: () => Record<string, unknown>): Set<string> | null {
  const place = useFormPlace()
  const form = dependsOnValues(field, values)
  const body = { schemaCode, propertyCode: field.propertyCode, ...place, form: form ?? {} }
  const asks = form !== null
  const { data } = useQuery({
    queryKey: ['options', body],
    queryFn: ({ signal }) => post('/api/runtime/form/options', body, { signal }),
    enabled: asks,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return useMemo(() => (asks && data ? new Set(data.content.map((entry) => entry.id)) : null), [asks, data])
}

/** The options that may be chosen now: enabled ones that the condition offers, below the parent when one decides, and those
 * chosen already. */
export function useOptions(
  field: FormField,
  schemaCode: string,
  chosen: string[],
  values: () => Record<string, unknown>,
): Option[] {
  const offered = useOffered(field, schemaCode, values)
  const parentCode = textSetting(field, 'dependsOn')
  const parent = parentCode ? [values()[parentCode] ?? []].flat().map(String) : null
  const parentKey = parent?.join(';')
  const chosenKey = chosen.join(';')
  // What was switched off may stay in a record: who chose another one can go back to it.
  const [first] = useState(chosen)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys stand for the arrays, which are new each time
  return useMemo(
    () =>
      (field.options ?? []).filter(
        (option) =>
          chosen.includes(option.code) ||
          ((!option.disabled || first.includes(option.code)) &&
            (offered === null || offered.has(option.code)) &&
            (parent === null || (!!option.parent && parent.includes(option.parent)))),
      ),
    [field, parentKey, chosenKey, offered, first],
  )
}

/** One or several options from a list. */
export function ChoiceSelect<V extends string | string[]>(props: FormWidgetProps<V> & { multiple?: boolean }) {
  const { id, field, schemaCode, value, onChange, onBlur, values, invalid, describedBy } = props
  const { placeholder, autoFocus, inCell, multiple } = props
  const t = useText()
  const locale = useLocale()
  const chosen = value === null ? [] : ([value].flat() as string[])
  const options = useOptions(field, schemaCode, chosen, values)
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
      allowClear={{ label: t('common.clear') }}
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
