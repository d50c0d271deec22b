import { OptionDot, Pages } from '@sluice/sdk'
import { Button } from 'antd'
import { useState } from 'react'
import type { Component } from '../shared/components'
import look from '../shared/look.module.css'
import { pathTo } from '../shared/whole-tree'
import { evalState } from '../shared/words'
import { texts } from '../texts'

/** As many components as a page of the table has. */
const SIZE = 50

const leaves = (nodes: readonly Component[]): Component[] =>
  nodes.flatMap((node) => (node.children?.length ? leaves(node.children) : [node]))

const find = (nodes: readonly Component[], id: string): Component | undefined => {
  for (const node of nodes) {
    const found = node.id === id ? node : find(node.children ?? [], id)
    if (found) return found
  }
  return undefined
}

/** The components below what is chosen; of a single component those beside it. */
export function codesOf(nodes: Component[], chosen: string | null): Component[] {
  const node = chosen ? find(nodes, chosen) : undefined
  if (!node) return leaves(nodes)
  if (node.children?.length) return leaves(node.children)
  return leaves(pathTo(nodes, node.id).at(-1)?.children ?? nodes)
}

interface Props {
  nodes: Component[]
  chosen: string | null
  /** The color of components that are bound to nothing. */
  unbound: string
  onChoose: (id: string) => void
}

/** The codes of the components, by pages. */
export function CodeTable({ nodes, chosen, ...more }: Props) {
  const rows = codesOf(nodes, chosen)
  const at = rows.findIndex(({ id }) => id === chosen)
  return (
    <Rows key={rows[0]?.id ?? ''} rows={rows} chosen={chosen} first={Math.max(0, Math.floor(at / SIZE))} {...more} />
  )
}

interface RowsProps extends Pick<Props, 'chosen' | 'unbound' | 'onChoose'> {
  rows: Component[]
  first: number
}

function Rows({ rows, chosen, unbound, onChoose, first }: RowsProps) {
  const t = texts.useText()
  const [page, setPage] = useState(first)
  const classes = rows.some(({ ifcClass }) => ifcClass)
  return (
    <div className={look.pad}>
      <div className={look.scroll}>
        <table className={look.wide} aria-label={t('components')}>
          <thead>
            <tr>
              <th>{t('componentField.code')}</th>
              <th>{t('component')}</th>
              {classes && <th>{t('componentField.ifcClass')}</th>}
              <th>{t('componentField.guid')}</th>
              <th>{t('state')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(page * SIZE, (page + 1) * SIZE).map((one) => {
              const state = one.boundFlag
                ? one.qbsId
                  ? evalState(one.evalStatus ?? 'NONE')
                  : { label: t('boundElsewhere'), color: null }
                : { label: t('unbound'), color: unbound }
              return (
                <tr key={one.id} aria-current={one.id === chosen || undefined}>
                  <td className={look.code}>{one.code}</td>
                  <td className={look.name}>
                    <Button
                      type="link"
                      size="small"
                      style={{ paddingInline: 0, whiteSpace: 'normal', height: 'auto', textAlign: 'start' }}
                      onClick={() => onChoose(one.id)}
                    >
                      {one.title}
                    </Button>
                  </td>
                  {classes && <td>{one.ifcClass}</td>}
                  <td className={look.code}>{one.guid}</td>
                  <td className={look.code}>
                    <OptionDot label={state.label} color={state.color} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {rows.length > SIZE && (
        <Pages
          style={{ marginTop: 12 }}
          current={page + 1}
          pageSize={SIZE}
          total={rows.length}
          showSizeChanger={false}
          onChange={(next) => setPage(next - 1)}
        />
      )}
    </div>
  )
}
