import { divisionsQuery, type FilterProps, localName, useLocale, useText } from '@sluice/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Cascader } from 'antd'
import { useEffect, useState } from 'react'

interface Node {
  value: string
  label: string
  isLeaf: boolean
  children?: Node[]
}

/** A division stands for itself and all below it. */
export function Filter({ id, value, onChange }: FilterProps) {
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
  // The codes of the divisions above are the beginnings of a code.
  useEffect(() => {
    const code = value?.value ?? ''
    setPath(/^\d+$/.test(code) ? [2, 4, 6].filter((length) => length <= code.length).map((n) => code.slice(0, n)) : [])
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
      displayRender={() => value?.label ?? value?.value ?? ''}
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
