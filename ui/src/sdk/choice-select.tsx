import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { post } from '@/api/client'
import type { FieldPlan, FormField, Option } from '@/api/types'
import { OptionDot } from '@/components/option-dot'
import { useLocale } from '@/i18n/locale'
import { type Findable, rankChoices } from '@/lib/find-choice'
import { type Locale, localName } from '@/lib/local-name'
import { loadPinyin, matchWith } from '@/lib/pinyin'
import { usePinyin } from '@/lib/use-matcher'
import { useIsPhone } from '@/lib/use-media'
import { dependsOnValues, useFormPlace } from './form-place'
import type { FormWidgetProps } from './property'
import { SearchSelect } from './search-select'
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

/** The options that may be chosen now: enabled ones that the condition offers, and those chosen already. Of several levels those
 * below the parent when one decides, the top ones where another field goes on below them, else the last ones. */
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
  const levels = textSetting(field, 'levels')
  const upper = useMemo(
    () =>
      new Set(parentCode === undefined && levels !== 'top' ? (field.options ?? []).map(({ parent }) => parent) : []),
    [field, parentCode, levels],
  )
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
            (parent === null
              ? levels === 'top'
                ? !option.parent
                : !upper.has(option.code)
              : !!option.parent && parent.includes(option.parent))),
      ),
    [field, parentKey, chosenKey, offered, first, levels, upper],
  )
}

/** The label of an option after those of the options above it: "East / Shanghai". */
function pathOf(option: Option, all: Map<string, Option>, locale: Locale): string {
  const above = option.parent ? all.get(option.parent) : undefined
  return above ? `${pathOf(above, all, locale)} / ${localName(option, locale)}` : localName(option, locale)
}

const findable = (option: Option): Findable => ({
  names: [option.name, ...Object.values(option.name_i18n ?? {})],
  code: option.code,
})

/** The options as a list shows them, and what a text finds in them: by names in all languages, codes, pinyin and initials. */
export function useChoices(field: FieldPlan, offered: Option[], typed: string, open: boolean) {
  const locale = useLocale()
  const pinyin = usePinyin(open || typed !== '')
  const all = useMemo(() => new Map((field.options ?? []).map((option) => [option.code, option])), [field])
  const dependent = textSetting(field, 'dependsOn') !== undefined
  const label = useCallback(
    (option: Option) => (dependent ? localName(option, locale) : pathOf(option, all, locale)),
    [dependent, all, locale],
  )
  const search = useCallback(
    (text: string, match: typeof pinyin.match) =>
      rankChoices(
        offered,
        text,
        (option) => {
          const own = findable(option)
          // Labels above an option find it too, after the options that have the text themselves.
          return dependent ? own : { ...own, more: [label(option)] }
        },
        match,
      ),
    [offered, dependent, label],
  )
  const options = useMemo(
    () =>
      search(typed, pinyin.match).map(({ choice: option, named }) => ({
        value: option.code,
        label: label(option),
        color: option.color,
        named,
      })),
    [search, typed, pinyin, label],
  )
  return {
    options,
    label,
    pending: typed !== '' && !pinyin.ready,
    find: async (text: string) => {
      const match = await loadPinyin().then(matchWith, () => matchWith(null))
      return search(text, match).map(({ choice, named }) => ({ value: choice.code, named }))
    },
  }
}

/** So many options are chosen on a small screen without a keyboard that would cover them. */
const FEW = 8

/** One or several options from a list. */
export function ChoiceSelect<V extends string | string[]>(props: FormWidgetProps<V> & { multiple?: boolean }) {
  const { id, field, schemaCode, value, onChange, onBlur, values, invalid, describedBy } = props
  const { placeholder, autoFocus, inCell, multiple } = props
  const t = useText()
  const phone = useIsPhone()
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  const chosen = value === null ? [] : ([value].flat() as string[])
  const offered = useOptions(field, schemaCode, chosen, values)
  const choices = useChoices(field, offered, typed, open)
  const change = (next: string | string[] | null | undefined) => {
    const codes = next === undefined || next === null ? [] : [next].flat()
    if (codes.length === 0) onChange(null)
    else onChange((multiple ? codes : codes[0]) as V)
  }
  return (
    <SearchSelect
      id={id}
      multiple={multiple ?? false}
      value={multiple ? chosen : (chosen[0] ?? (undefined as unknown as string))}
      onChange={change}
      pick={(code) => {
        if (!multiple) return change(code)
        change(chosen.includes(code) ? chosen.filter((one) => one !== code) : [...chosen, code])
      }}
      onBlur={onBlur}
      options={choices.options}
      labelRender={({ value: code, label }) => {
        const option = field.options?.find((one) => one.code === code)
        return option ? choices.label(option) : label
      }}
      optionRender={({ data }) =>
        data.color ? <OptionDot label={String(data.label)} color={String(data.color)} /> : data.label
      }
      typed={typed}
      onTyped={setTyped}
      pending={choices.pending}
      find={choices.find}
      open={open}
      onOpenChange={setOpen}
      searchable={!phone || offered.length > FEW}
      autoFocus={autoFocus ?? false}
      inCell={inCell}
      status={invalid ? 'error' : ''}
      placeholder={placeholder ?? t('picker.choose')}
      notFoundContent={choices.pending ? t('common.loading') : t('picker.nothing')}
      aria-describedby={describedBy}
    />
  )
}
