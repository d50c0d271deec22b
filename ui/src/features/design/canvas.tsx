import { Button, Dropdown } from 'antd'
import { createContext, type KeyboardEvent, type PointerEvent, useContext, useEffect, useRef } from 'react'
import { Icon, type IconName } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import type { Design, DesignModel } from './api'
import styles from './design.module.css'
import type { Edge, Flow, FlowNode, NodeType } from './document'
import type { FlowProblem } from './problems'
import { useProblemText } from './shared/fields'
import { type Branch, type Item, indexOf, type Lane, treeOf } from './tree'
import { useDesignWords } from './words'

export type NodeAct = 'open' | 'copy' | 'cut' | 'up' | 'down' | 'remove'
export type Added = Exclude<NodeType, 'START' | 'JOIN' | 'SPLIT'> | 'XOR' | 'OR' | 'AND' | 'paste'

interface Shown {
  flow: Flow
  design: Design
  model: DesignModel | undefined
  problems: FlowProblem[]
  selected: string | null
  cut: string | null
  canPaste: boolean
  onSelect: (id: string | null) => void
  onAdd: (place: Edge[], what: Added) => void
  onAct: (id: string, act: NodeAct) => void
  onBranch: (id: string, act: 'add' | 'copy' | 'left' | 'right' | 'remove', at: number) => void
}

const Here = createContext<Shown | null>(null)
const useShown = () => useContext(Here) as Shown

const ICONS: Record<NodeType, IconName> = {
  START: 'user',
  FILL: 'edit',
  APPROVE: 'check',
  CIRCULATE: 'eye',
  SPLIT: 'tree',
  JOIN: 'tree',
  SERVICE: 'sliders',
  SUB: 'copy',
  WAIT: 'clock',
  END: 'minus',
}

const ADDED: { key: Exclude<Added, 'paste'>; icon: IconName }[] = [
  { key: 'APPROVE', icon: 'check' },
  { key: 'FILL', icon: 'edit' },
  { key: 'CIRCULATE', icon: 'eye' },
  { key: 'XOR', icon: 'tree' },
  { key: 'OR', icon: 'tree' },
  { key: 'AND', icon: 'tree' },
  { key: 'SERVICE', icon: 'sliders' },
  { key: 'SUB', icon: 'copy' },
  { key: 'WAIT', icon: 'clock' },
]

interface Props extends Shown {
  zoom: number
  onZoom: (zoom: number) => void
}

/** The workflow from its start down to its end. Arrows move between nodes, Enter opens one. */
export function Canvas({ zoom, onZoom, ...shown }: Props) {
  const t = useText()
  const words = useDesignWords()
  const box = useRef<HTMLDivElement>(null)
  const tree = treeOf(shown.flow)
  useEffect(() => {
    const of = box.current
    if (of) of.scrollLeft = (of.scrollWidth - of.clientWidth) / 2
  }, [])
  const grab = useRef<{ x: number; y: number; left: number; top: number } | null>(null)
  const down = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse' || event.button !== 0 || !box.current) return
    if ((event.target as Element).closest('button, [role="menu"]')) return
    grab.current = { x: event.clientX, y: event.clientY, left: box.current.scrollLeft, top: box.current.scrollTop }
  }
  const move = (event: PointerEvent) => {
    if (!grab.current || !box.current) return
    box.current.scrollLeft = grab.current.left - (event.clientX - grab.current.x)
    box.current.scrollTop = grab.current.top - (event.clientY - grab.current.y)
  }
  const up = () => {
    grab.current = null
  }
  return (
    <Here.Provider value={shown}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the nodes inside, and dragging of the ground */}
      <div
        ref={box}
        className={styles.canvas}
        onKeyDown={(event) => onKeys(event, shown, box.current)}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerLeave={up}
        onWheel={(event) => {
          if (event.ctrlKey) onZoom(zoom * (event.deltaY < 0 ? 1.1 : 1 / 1.1))
        }}
      >
        <div className={styles.flow} style={{ zoom }} data-flow>
          <LaneOf lane={tree.lane} />
          {tree.loose.length > 0 && (
            <section className={styles.loose} aria-label={t('design.loose')}>
              <p>{t('design.loose')}</p>
              {tree.loose.map((node) => (
                <Card key={node.id} node={node} />
              ))}
            </section>
          )}
        </div>
        <p className="visually-hidden" role="status">
          {shown.selected && words.node(indexOf(shown.flow).get(shown.selected) ?? ({ type: 'END' } as FlowNode))}
        </p>
      </div>
    </Here.Provider>
  )
}

const ARROWS: Record<string, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

/** The node nearest to another in a direction, as they are drawn. */
function nearest(box: Element, from: Element, [dx, dy]: [number, number]): HTMLElement | null {
  const middle = (of: Element) => {
    const at = of.getBoundingClientRect()
    return { x: at.left + at.width / 2, y: at.top + at.height / 2 }
  }
  const here = middle(from)
  let best: { node: HTMLElement; far: number } | null = null
  for (const node of box.querySelectorAll<HTMLElement>('[data-node]')) {
    if (node === from) continue
    const there = middle(node)
    const [x, y] = [there.x - here.x, there.y - here.y]
    const [along, aside] = dx ? [x * dx, Math.abs(y)] : [y * dy, Math.abs(x)]
    if (along < 4 || (dx && aside > 200)) continue
    const far = along + aside * 2
    if (!best || far < best.far) best = { node, far }
  }
  return best?.node ?? null
}

function onKeys(event: KeyboardEvent, shown: Shown, box: Element | null) {
  const card = (event.target as Element).closest<HTMLElement>('[data-node]')
  const id = card?.dataset.node
  if (!card || !id || !box) return
  const mod = event.ctrlKey || event.metaKey
  const arrow = ARROWS[event.key]
  const act = mod
    ? ({ c: 'copy', x: 'cut' } as const)[event.key.toLowerCase()]
    : event.altKey
      ? ({ ArrowUp: 'up', ArrowDown: 'down' } as const)[event.key]
      : ({ Delete: 'remove', Backspace: 'remove' } as const)[event.key]
  if (act) {
    event.preventDefault()
    shown.onAct(id, act)
  } else if (arrow && !mod && !event.altKey) {
    event.preventDefault()
    nearest(box, card, arrow)?.focus()
  }
}

function LaneOf({ lane }: { lane: Lane }) {
  const t = useText()
  const words = useDesignWords()
  const { flow } = useShown()
  const last = lane.places[lane.items.length]
  const to = lane.to ? indexOf(flow).get(lane.to) : undefined
  return (
    <div className={styles.lane}>
      {lane.items.map((item, i) => (
        <div key={item.node.id} className={styles.step}>
          {(lane.places[i]?.length ?? 0) > 0 && <Plus place={lane.places[i] ?? []} />}
          <ItemOf item={item} />
        </div>
      ))}
      {last && last.length > 0 && <Plus place={last} last={lane.end === 'merge'} />}
      {lane.end === 'jump' && (
        <span className={styles.jump}>
          <Icon name="right" size={12} />
          {t('design.goesTo', { name: to ? words.node(to) : (lane.to ?? '') })}
        </span>
      )}
      {lane.end !== 'end' && <span className={styles.line} />}
    </div>
  )
}

function ItemOf({ item }: { item: Item }) {
  const t = useText()
  const { onBranch } = useShown()
  const { node, branches } = item
  return (
    <>
      <Card node={node} />
      {branches.length > 0 && (
        <>
          {node.type === 'SPLIT' ? (
            <Button size="small" className={styles.addBranch ?? ''} onClick={() => onBranch(node.id, 'add', 0)}>
              {t('design.addBranch')}
            </Button>
          ) : (
            <span className={styles.short} />
          )}
          <div className={styles.branches} data-merges={branches.some((one) => one.end !== 'end') || undefined}>
            {branches.map((branch, at) => (
              <div
                key={`${branch.edge.kind}${at}`}
                className={styles.branch}
                data-ends={branch.end === 'end' || undefined}
              >
                <span className={styles.line} />
                <BranchHead node={node} branch={branch} at={at} of={branches.length} />
                <LaneOf lane={branch} />
              </div>
            ))}
          </div>
        </>
      )}
    </>
  )
}

function BranchHead({ node, branch, at, of }: { node: FlowNode; branch: Branch; at: number; of: number }) {
  const t = useText()
  const words = useDesignWords()
  const say = useProblemText()
  const { onSelect, onBranch, problems, selected } = useShown()
  if (node.type !== 'SPLIT')
    return (
      <span className={styles.verdict}>
        {t(branch.edge.kind === 'disagree' ? 'design.ifDisagree' : 'design.ifAgree')}
      </span>
    )
  const route = node.routes?.[branch.edge.at]
  const object = typeof route === 'string' || route === undefined ? { to: '' } : route
  const wrong = problems.filter(
    (one) => one.node === node.id && one.path[0] === 'routes' && one.path[1] === String(branch.edge.at),
  )
  const when =
    node.kind === 'AND'
      ? t('design.always')
      : object.default === true
        ? t('design.otherwise')
        : object.when || t('design.noCondition')
  const name = (route !== undefined && words.route(route)) || t('design.routeAt', { at: at + 1 })
  return (
    <div className={styles.route} data-selected={selected === node.id || undefined}>
      <button type="button" className={styles.routeOpen} onClick={() => onSelect(node.id)}>
        <strong>{name}</strong>
        <span className={object.when && node.kind !== 'AND' && object.default !== true ? styles.code : styles.faint}>
          {when}
        </span>
        {wrong[0] && (
          <span className={wrong[0].severity === 'error' ? styles.wrong : styles.warn}>{say(wrong[0])}</span>
        )}
      </button>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            { key: 'copy', label: t('design.copyBranch') },
            { key: 'left', label: t('design.branchLeft'), disabled: at === 0 },
            { key: 'right', label: t('design.branchRight'), disabled: at === of - 1 },
            { key: 'remove', label: t('design.deleteBranch'), danger: true },
          ],
          onClick: ({ key }) => onBranch(node.id, key as 'copy', branch.edge.at),
        }}
      >
        <Button
          type="text"
          size="small"
          aria-label={t('design.branchActions', { name })}
          icon={<Icon name="more" size={14} />}
        />
      </Dropdown>
    </div>
  )
}

function Plus({ place, last = false }: { place: Edge[]; last?: boolean }) {
  const t = useText()
  const { onAdd, canPaste } = useShown()
  const items = [
    ...ADDED.map(({ key, icon }) => ({
      key,
      icon: <Icon name={icon} />,
      label: key === 'XOR' || key === 'OR' || key === 'AND' ? t(`design.splits.${key}`) : t(`design.types.${key}`),
    })),
    ...(last || canPaste ? [{ type: 'divider' as const }] : []),
    ...(last ? [{ key: 'END', icon: <Icon name="minus" />, label: t('design.endHere') }] : []),
    ...(canPaste ? [{ key: 'paste', icon: <Icon name="copy" />, label: t('design.paste') }] : []),
  ]
  return (
    <span className={styles.plus}>
      <Dropdown trigger={['click']} menu={{ items, onClick: ({ key }) => onAdd(place, key as Added) }}>
        <button type="button" className={styles.plusButton} aria-label={t('design.add')} title={t('design.add')}>
          <Icon name="plus" size={14} />
        </button>
      </Dropdown>
    </span>
  )
}

function Card({ node }: { node: FlowNode }) {
  const t = useText()
  const words = useDesignWords()
  const say = useProblemText()
  const summary = useSummary(node)
  const { selected, cut, problems, onSelect, onAct } = useShown()
  const wrong = problems
    .filter(
      (one) => one.node === node.id && !(node.type === 'SPLIT' && one.path[0] === 'routes' && one.path.length > 1),
    )
    .sort((a, b) => a.severity.localeCompare(b.severity))
  const name = words.node(node)
  const first = wrong[0]
  const facts = [name === words.type(node) ? '' : words.type(node), summary].filter(Boolean).join(' · ')
  return (
    <div
      className={styles.node}
      data-type={node.type}
      data-selected={selected === node.id || undefined}
      data-cut={cut === node.id || undefined}
      data-wrong={first?.severity}
    >
      <button
        type="button"
        className={styles.nodeOpen}
        data-node={node.id}
        aria-pressed={selected === node.id}
        onClick={() => onSelect(node.id)}
      >
        <span className={styles.nodeHead}>
          <span className={styles.nodeIcon}>
            <Icon name={ICONS[node.type]} size={14} />
          </span>
          <strong>{name}</strong>
        </span>
        {facts && (
          <span className={styles.summary} title={facts}>
            {facts}
          </span>
        )}
        {first && (
          <span className={first.severity === 'error' ? styles.wrong : styles.warn}>
            <Icon name="alert" size={12} /> {say(first)}
            {wrong.length > 1 && ` (+${wrong.length - 1})`}
          </span>
        )}
      </button>
      {node.type !== 'START' && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: [
              { key: 'open', label: t('design.properties') },
              ...(node.type === 'END'
                ? []
                : [
                    { key: 'copy', label: t('design.copy') },
                    { key: 'cut', label: t('design.cut') },
                    { key: 'up', label: t('design.moveUp') },
                    { key: 'down', label: t('design.moveDown') },
                  ]),
              { type: 'divider' as const },
              { key: 'remove', label: t('design.delete'), danger: true },
            ],
            onClick: ({ key }) => onAct(node.id, key as NodeAct),
          }}
        >
          <Button
            type="text"
            size="small"
            className={styles.nodeMore ?? ''}
            aria-label={t('design.actionsOf', { name })}
            icon={<Icon name="more" size={14} />}
          />
        </Dropdown>
      )}
    </div>
  )
}

/** What a card says below the name: who, or what. */
function useSummary(node: FlowNode): string {
  const t = useText()
  const words = useDesignWords()
  const { design, model, flow } = useShown()
  const role = (code: unknown) => {
    const found = design.roles.find((one) => one.code === code)
    return found ? words.choice(found) : String(code)
  }
  const list = Array.isArray(node.participants) ? (node.participants as Record<string, unknown>[]) : null
  if (list)
    return list
      .map((one) => {
        if (one.type === 'role') return (Array.isArray(one.value) ? one.value : []).map(role).join(t('design.comma'))
        if (one.type === 'field') {
          const found = model?.properties.find((of) => of.code === one.propertyCode)
          return found ? words.label(found.label) : String(one.propertyCode ?? '')
        }
        const kind = t(`design.people.${one.type as 'person'}`)
        const count = (one.type === 'person' || one.type === 'dept') && Array.isArray(one.value) ? one.value.length : 0
        return count ? `${kind} × ${count}` : kind
      })
      .filter(Boolean)
      .join(t('design.comma'))
  switch (node.type) {
    case 'START': {
      const rules =
        ((flow.settings?.initiators as { all?: boolean; rules?: { type: string; value: string[] }[] }) ?? {}) || {}
      if (rules.all !== false) return t('design.everybody')
      return (rules.rules ?? [])
        .map((one) =>
          one.type === 'role'
            ? one.value.map(role).join(t('design.comma'))
            : t(`design.people.${one.type as 'person'}`),
        )
        .join(t('design.comma'))
    }
    case 'SERVICE':
      return String(node.service ?? node.rule ?? (node.http as { url?: string } | undefined)?.url ?? '')
    case 'SUB': {
      const child = design.workflows.find((one) => one.code === node.workflowCode)
      return child ? words.choice(child) : String(node.workflowCode ?? '')
    }
    case 'WAIT':
      return String(node.until ?? node.signal ?? '')
    case 'END':
      return node.result === 'REJECTED' ? t('design.results.REJECTED') : ''
    default:
      return ''
  }
}
