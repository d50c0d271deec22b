import { type FormWidgetProps, get, localName, useLocale, useText } from '@sluice/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Cascader, Input } from 'antd'
import { useEffect, useState } from 'react'

interface Address {
  code: string | null
  province?: string | null
  city?: string | null
  district?: string | null
  detail?: string | null
}

interface Choice {
  value: string
  label: string
  name: string
  isLeaf: boolean
  children?: Choice[]
}

/** Two, four and six digits of a division code: the way down to it. */
const way = (code: string) => [2, 4, 6].filter((length) => length <= code.length).map((length) => code.slice(0, length))

function useDivisions(code: string | null, depth: number) {
  const client = useQueryClient()
  const locale = useLocale()
  const [roots, setRoots] = useState<Choice[]>([])
  const below = async (parent: string): Promise<Choice[]> => {
    const rows = await client.fetchQuery({
      queryKey: ['divisions', parent],
      queryFn: ({ signal }) => get('/api/runtime/form/divisions', { parent }, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    })
    return rows.map((row) => ({
      value: row.code,
      label: localName(row, locale),
      name: row.name,
      isLeaf: row.leaf || row.code.length >= depth * 2,
    }))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the way to the first value is opened once
  useEffect(() => {
    let gone = false
    const open = async () => {
      const top = await below('')
      let level = top
      for (const step of code ? way(code).slice(0, -1) : []) {
        const node = level.find((choice) => choice.value === step)
        if (!node) break
        node.children = await below(step)
        level = node.children
      }
      if (!gone) setRoots(top)
    }
    open().catch(() => {})
    return () => {
      gone = true
    }
  }, [locale])
  const load = async (chosen: Choice[]) => {
    const last = chosen.at(-1)
    if (!last) return
    last.children = await below(last.value)
    setRoots((old) => [...old])
  }
  return { roots, load }
}

/** The most characters of the free line. */
const DETAIL = 200

/** Province, city and district from the divisions of the core pack, and a free line. */
export function FormWidget({ id, field, value, onChange, onBlur, invalid, describedBy }: FormWidgetProps<Address>) {
  const t = useText()
  const change = (next: Partial<Address>) => {
    const { code = null, province = null, city = null, district = null, detail = null } = value ?? {}
    const merged = { code, province, city, district, detail, ...next }
    onChange(merged.code || merged.detail ? merged : null)
  }
  const over = [...(value?.detail ?? '')].length > DETAIL
  const depth = { province: 1, 'province-city': 2 }[field.displayFormat ?? ''] ?? 3
  const { roots, load } = useDivisions(value?.code ?? null, depth)
  return (
    <div style={{ display: 'flex', gap: 8, flexWrap: 'wrap' }}>
      <Cascader<Choice>
        id={id}
        options={roots}
        value={value?.code ? way(value.code) : []}
        onChange={(path, chosen) => {
          const [province = null, city = null, district = null] = (chosen ?? []).map((choice) => choice.name)
          change({ code: path?.at(-1) ?? null, province, city, district })
        }}
        loadData={(chosen) => void load(chosen as Choice[])}
        changeOnSelect
        status={invalid ? 'error' : ''}
        placeholder={t('form.chooseDivision')}
        style={{ flex: '1 1 180px' }}
        aria-describedby={describedBy}
      />
      <Input
        value={value?.detail ?? ''}
        onChange={(event) => change({ detail: event.target.value || null })}
        onBlur={onBlur}
        count={{ max: DETAIL, show: over, strategy: (text) => [...text].length }}
        status={over ? 'error' : ''}
        placeholder={t('form.addressDetail')}
        aria-label={t('form.addressDetail')}
        style={{ flex: '2 1 180px' }}
      />
    </div>
  )
}
