import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { askQuery } from '@/lib/ask-query'
import { findChoices } from '@/lib/find-choice'
import { matchWith } from '@/lib/pinyin'
import { useDebounced } from './field-options'
import { type Choosable, SearchSelect } from './search-select'
import { useText } from './use-text'

type Given =
  | 'options'
  | 'typed'
  | 'onTyped'
  | 'pending'
  | 'find'
  | 'pick'
  | 'open'
  | 'onOpenChange'
  | 'onChange'
  | 'value'

interface Props<Data> extends Omit<ComponentProps<typeof SearchSelect>, Given> {
  value: string[]
  onChange: (value: string[]) => void
  /** What a text asks the server for. */
  query: (keyword: string) => {
    queryKey: readonly unknown[]
    queryFn: (context: { signal: AbortSignal }) => Promise<Data>
    enabled?: boolean
    retry?: boolean
  }
  choices: (data: Data) => Choosable[]
  /** What is chosen, where the choices for "" need not hold it. */
  chosen?: Choosable[]
  defaultOpen?: boolean
}

interface NamedEntry {
  id: string
  name: string
  detail?: string | null
  named?: string | null | undefined
}

/** A person, department or record as a choice. */
export const namedChoice = ({ id, name, detail, named }: NamedEntry): Choosable => ({
  value: id,
  label: detail ? `${name} · ${detail}` : name,
  named,
})

const plain = matchWith(null)
const namesOf = ({ label }: Choosable) => ({ names: [label] })

/**
 * A list of choices that the server searches. Enter waits for what the typed text finds: what an earlier text has found is never
 * chosen in its place.
 */
export function AskedChoice<Data>(props: Props<Data>) {
  const { value, onChange, query, choices, chosen = [], multiple, defaultOpen, ...rest } = props
  const t = useText()
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(defaultOpen ?? false)
  const keyword = typed.trim()
  const settled = useDebounced(keyword, 180)
  const { data, isPlaceholderData, isError, isFetching } = useQuery({
    ...query(settled),
    placeholderData: keepPreviousData,
  })
  const [labels] = useState(() => new Map<string, string>())
  const listed = data === undefined ? [] : choices(data)
  for (const one of [...chosen, ...listed]) labels.set(one.value, one.label)
  const pending = keyword !== '' && !isError && (settled !== keyword || isPlaceholderData || data === undefined)
  return (
    <SearchSelect
      {...rest}
      multiple={multiple ?? false}
      value={multiple ? value : (value[0] ?? (null as unknown as string))}
      onChange={(next) => {
        onChange(next === undefined || next === null ? [] : [next].flat())
        setTyped('')
      }}
      pick={(one) => {
        if (!multiple) return onChange([one])
        onChange(value.includes(one) ? value.filter((other) => other !== one) : [...value, one])
      }}
      find={async (text) => {
        const found = choices(await askQuery(client, query(text)))
        for (const one of found) labels.set(one.value, one.label)
        return found
      }}
      options={pending ? findChoices(listed, keyword, namesOf, plain) : listed}
      labelRender={({ value: one, label }) => labels.get(String(one)) ?? label}
      typed={typed}
      onTyped={setTyped}
      pending={pending}
      open={open}
      onOpenChange={setOpen}
      loading={isFetching}
      notFoundContent={isFetching || pending ? t('common.loading') : t('picker.nothing')}
    />
  )
}
