import {
  type CellProps,
  defineProperty,
  divisionsQuery,
  type FieldPlan,
  type FilterProps,
  localName,
  useLocale,
  useText,
} from '@sluice/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Cascader } from 'antd'
import { useEffect, useState } from 'react'

export interface Address {
  code: string | null
  province: string | null
  city: string | null
  district: string | null
  detail: string | null
}

/** Municipalities name province and city alike; nobody says it twice. */
function text(value: Address, field: FieldPlan): string {
  const levels = { province: 1, 'province-city': 2 }[field.displayFormat ?? ''] ?? 3
  const parts = [value.province, value.city, value.district]
    .slice(0, levels)
    .filter((part): part is string => Boolean(part))
  return [...new Set(parts), ...(levels === 3 && value.detail ? [value.detail] : [])].join('')
}

const Cell = ({ value, field }: CellProps<Address>) => text(value, field)

interface Node {
  value: string
  label: string
  isLeaf: boolean
  children?: Node[]
}

/** A division stands for itself and all below it. */
function Filter({ id, value, onChange }: FilterProps) {
  const t = useText()
  const locale = useLocale()
  const client = useQueryClient()
  const [roots, setRoots] = useState<Node[]>([])
  const [path, setPath] = useState<string[]>([])
  const load = async (parent: string): Promise<Node[]> =>
    (await client.fetchQuery(divisionsQuery(parent))).map((division) => ({
      value: division.code,
      label: localName(division, locale),
      isLeaf: division.leaf,
    }))
  useEffect(() => {
    if (!value) setPath([])
  }, [value])
  return (
    <Cascader<Node>
      id={id}
      changeOnSelect
      allowClear
      style={{ width: '100%' }}
      placeholder={t('list.choose')}
      options={roots}
      value={path}
      displayRender={() => value?.label ?? ''}
      onOpenChange={(open) => open && roots.length === 0 && void load('').then(setRoots)}
      loadData={async (chosen) => {
        const node = chosen.at(-1)
        if (!node) return
        node.children = await load(node.value)
        setRoots([...roots])
      }}
      onChange={(codes, nodes) => {
        setPath((codes ?? []) as string[])
        const last = codes?.at(-1)
        onChange(last ? { value: String(last), label: nodes.map((node) => node.label).join('') } : null)
      }}
    />
  )
}

export const property = defineProperty<Address>({ name: 'Address', wire: 10, text, Cell, ReadValue: Cell, Filter })
