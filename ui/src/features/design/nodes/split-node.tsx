import { Button, Input, Radio } from 'antd'
import { Choice } from '@/components/choice'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import { Departments } from '../departments'
import styles from '../design.module.css'
import type { FlowNode } from '../document'
import { addBranch, moveBranch, removeBranch, type SplitKind, setKind } from '../edit'
import { usePlace } from '../form'
import { Row, useProblemText } from '../shared/fields'
import type { Bag } from '../shared/json'
import { at } from '../shared/problems'
import { Section } from '../shared/section'
import { indexOf } from '../tree'
import { useDesignWords } from '../words'
import type { NodeProps } from './props'

export function Routes({ node, change }: NodeProps) {
  const t = useText()
  const say = useProblemText()
  const words = useDesignWords()
  const place = usePlace()
  const { flow } = place
  const nodes = indexOf(flow)
  const routes = node.routes ?? []
  const kind = (node.kind as SplitKind) ?? 'XOR'
  const join = flow.nodes.find((one) => one.type === 'JOIN' && one.of === node.id)
  return (
    <>
      <Section title={t('design.sections.routes')} keys={['kind', 'routes']} open>
        <Row label={t('design.splitKind')} path={['kind']}>
          {(id) => (
            <Choice<SplitKind>
              id={id}
              value={kind}
              options={(['XOR', 'OR', 'AND'] as const).map((value) => ({
                value,
                label: t(`design.splitKinds.${value}`),
              }))}
              onChange={(next) => change(setKind(flow, node.id, next as SplitKind))}
            />
          )}
        </Row>
        {at(place.problems, ['routes'])
          .filter((one) => one.path.length === 1)
          .map((one) => (
            <span key={one.code} className={styles.wrong}>
              {say(one)}
            </span>
          ))}
        <div className={styles.people}>
          {routes.map((route, i) => {
            const object = typeof route === 'string' ? { to: route } : route
            const fallback = object.default === true
            const to = nodes.get(object.to)
            return (
              <fieldset key={i} className={styles.card} aria-label={t('design.routeAt', { at: i + 1 })}>
                <p className={styles.cardHead}>
                  <strong>{words.route(route) || t('design.routeAt', { at: i + 1 })}</strong>
                  <small>{to && `→ ${words.node(to)}`}</small>
                  <Button
                    type="text"
                    size="small"
                    disabled={i === 0}
                    aria-label={t('design.routeUp', { at: i + 1 })}
                    icon={<Icon name="arrowUp" size={14} />}
                    onClick={() => change(moveBranch(flow, node.id, i, -1))}
                  />
                  <Button
                    type="text"
                    size="small"
                    disabled={i === routes.length - 1}
                    aria-label={t('design.routeDown', { at: i + 1 })}
                    icon={<Icon name="arrowDown" size={14} />}
                    onClick={() => change(moveBranch(flow, node.id, i, 1))}
                  />
                  <Button
                    type="text"
                    size="small"
                    aria-label={t('design.removeBranch', { at: i + 1 })}
                    icon={<Icon name="trash" size={14} />}
                    onClick={() => change(removeBranch(flow, node.id, i))}
                  />
                </p>
                <Route path={i} object={object} kind={kind} fallback={fallback} />
              </fieldset>
            )
          })}
          <Button size="small" icon={<Icon name="plus" size={14} />} onClick={() => change(addBranch(flow, node.id))}>
            {t('design.addBranch')}
          </Button>
        </div>
      </Section>
      {join && (
        <Section title={t('design.sections.join')} keys={[]} open={kind !== 'XOR'}>
          <Join join={join} change={change} />
        </Section>
      )}
    </>
  )
}

function Route({ path, object, kind, fallback }: { path: number; object: Bag; kind: SplitKind; fallback: boolean }) {
  const t = useText()
  const place = usePlace()
  const write = (key: string, value: unknown) => {
    const next = { ...object, [key]: value }
    if (value === undefined) delete next[key]
    place.set(['routes', path], next)
  }
  const name = (object.name_i18n ?? {}) as Record<string, string>
  return (
    <>
      <div className={styles.pair}>
        <Row label={t('design.nameZh')}>
          {(id) => (
            <Input
              id={id}
              value={String(object.name ?? '')}
              onChange={(event) => write('name', event.target.value || undefined)}
            />
          )}
        </Row>
        <Row label={t('design.nameEn')}>
          {(id) => (
            <Input
              id={id}
              value={name.en ?? ''}
              onChange={(event) =>
                write(
                  'name_i18n',
                  event.target.value || Object.keys(name).some((key) => key !== 'en')
                    ? { ...name, en: event.target.value }
                    : undefined,
                )
              }
            />
          )}
        </Row>
      </div>
      {kind !== 'AND' && !fallback && (
        <Row label={t('design.when')} path={['routes', path, 'when']} hint={t('design.expressionHint')}>
          {(id) => (
            <Input.TextArea
              id={id}
              className={styles.code ?? ''}
              spellCheck={false}
              autoSize={{ minRows: 1, maxRows: 6 }}
              value={String(object.when ?? '')}
              onChange={(event) => write('when', event.target.value)}
            />
          )}
        </Row>
      )}
      {kind !== 'AND' && !fallback && (
        <Departments text={String(object.when ?? '')} onChange={(next) => write('when', next)} />
      )}
      {kind !== 'AND' && (
        <Radio
          checked={fallback}
          onClick={() => {
            const routes = ((place.of.routes ?? []) as unknown[]).map((one, i) => {
              const { default: _, when, ...rest } = (typeof one === 'string' ? { to: one } : one) as Bag
              if (i === path && !fallback) return { ...rest, default: true }
              return { ...rest, when: when ?? '' }
            })
            place.set(['routes'], routes)
          }}
        >
          {t('design.default')}
        </Radio>
      )}
    </>
  )
}

function Join({ join, change }: { join: FlowNode; change: NodeProps['change'] }) {
  const t = useText()
  const { flow } = usePlace()
  const write = (more: Bag) =>
    change({
      ...flow,
      nodes: flow.nodes.map((node) => (node.id === join.id ? ({ ...node, ...more } as FlowNode) : node)),
    })
  const policy = typeof join.policy === 'string' ? join.policy : 'ALL'
  return (
    <>
      <Row label={t('design.policy')}>
        {(id) => (
          <Choice<string>
            id={id}
            value={policy}
            options={(['ALL', 'ANY', 'N'] as const).map((value) => ({ value, label: t(`design.policies.${value}`) }))}
            onChange={(next) => write({ policy: next, count: next === 'N' ? 1 : undefined })}
          />
        )}
      </Row>
      {policy === 'N' && (
        <Row label={t('design.count')}>
          {(id) => (
            <Input
              id={id}
              type="number"
              min={1}
              value={String(join.count ?? 1)}
              onChange={(event) => write({ count: Number(event.target.value) || 1 })}
            />
          )}
        </Row>
      )}
    </>
  )
}
