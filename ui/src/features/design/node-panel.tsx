import { useQuery } from '@tanstack/react-query'
import { Button, Input, Radio } from 'antd'
import type { ReactNode } from 'react'
import { Choice } from '@/components/choice'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import { modelQuery } from './api'
import styles from './design.module.css'
import { type Bag, type Flow, type FlowNode, valueAt } from './document'
import { addBranch, hasDisagree, moveBranch, removeBranch, type SplitKind, setDisagree, setKind } from './edit'
import {
  Below,
  ExpressionField,
  ManyField,
  NameFields,
  NumberField,
  PickField,
  Row,
  SwitchField,
  TextField,
  usePlace,
  useProblemText,
} from './form'
import { Mapping } from './mapping'
import { PartyField, People } from './people'
import { at } from './problems'
import { RightsTable } from './rights-table'
import { indexOf } from './tree'
import { useDesignWords } from './words'

/** A part of the panel; it opens where something is wrong in it. */
export function Section({
  title,
  keys,
  open = false,
  children,
}: {
  title: string
  keys: string[]
  open?: boolean
  children: ReactNode
}) {
  const { problems } = usePlace()
  const wrong = keys.some((key) => at(problems, [key]).length > 0)
  return (
    <details className={styles.section} open={open || wrong}>
      <summary>
        {title}
        {wrong && <span className={styles.dot} />}
      </summary>
      <div className={styles.fields}>{children}</div>
    </details>
  )
}

const ACTIONS = [
  'save',
  'submit',
  'agree',
  'disagree',
  'reject',
  'transfer',
  'addSign',
  'assist',
  'circulate',
  'withdraw',
  'urge',
  'adjust',
  'revoke',
  'void',
] as const

/** The buttons that a node has where its document names none. */
const USUAL: Record<string, string[]> = {
  START: ['submit', 'save', 'revoke', 'urge'],
  FILL: ['submit', 'save', 'transfer', 'withdraw', 'urge'],
  APPROVE: ['agree', 'disagree', 'reject', 'transfer', 'circulate', 'withdraw', 'urge'],
}

interface Props {
  node: FlowNode
  change: (flow: Flow, of?: string) => void
}

export function NodePanel({ node, change }: Props) {
  const t = useText()
  const words = useDesignWords()
  const place = usePlace()
  const people = ['FILL', 'APPROVE', 'CIRCULATE'].includes(node.type)
  const handled = ['START', 'FILL', 'APPROVE'].includes(node.type)
  return (
    <>
      <div className={styles.fields}>
        <NameFields zh={t('design.nameZh')} en={t('design.nameEn')} />
      </div>
      {people && (
        <Section title={t('design.sections.people')} keys={['participants', 'maxParticipants', 'emptyPolicy']} open>
          <Row label={t('design.participants')} path={['participants']}>
            {() => <People path={['participants']} add={t('design.addPeople')} />}
          </Row>
          <EmptyPolicy />
          <div className={styles.pair}>
            <NumberField
              path={['maxParticipants']}
              label={t('design.maxParticipants')}
              min={1}
              max={10000}
              placeholder="200"
            />
          </div>
        </Section>
      )}
      {(node.type === 'FILL' || node.type === 'APPROVE') && <Mode node={node} />}
      {node.type === 'APPROVE' && (
        <Section title={t('design.sections.disagree')} keys={['next']} open={hasDisagree(node)}>
          <Radio.Group
            className={styles.radios ?? ''}
            aria-label={t('design.sections.disagree')}
            value={hasDisagree(node)}
            onChange={(event) => change(setDisagree(place.flow, node.id, event.target.value as boolean))}
            options={[
              { value: false, label: t('design.disagreeEnds') },
              { value: true, label: t('design.disagreeWay') },
            ]}
          />
        </Section>
      )}
      {handled && <Acting node={node} />}
      {(handled || node.type === 'CIRCULATE') && (
        <Section title={t('design.sections.form')} keys={['form']}>
          <PickField
            path={['form', 'sheetCode']}
            label={t('design.form')}
            options={(place.model?.forms ?? []).map((one) => ({ value: one.code, label: words.label(one.label) }))}
            {...(place.model?.forms[0] && { fallback: place.model.forms[0].code })}
          />
          <RightsTable fallback={node.type === 'START' || node.type === 'FILL' ? 'rw' : 'r'} />
        </Section>
      )}
      {handled && <Opinion />}
      {(handled || node.type === 'WAIT') && <Time />}
      {(handled || node.type === 'CIRCULATE') && (
        <Section title={t('design.sections.notify')} keys={['notify']}>
          <Notify />
        </Section>
      )}
      {node.type === 'SPLIT' && <Routes node={node} change={change} />}
      {node.type === 'SERVICE' && <Service node={node} />}
      {node.type === 'SUB' && <Sub node={node} />}
      {node.type === 'WAIT' && <Wait node={node} />}
      {node.type === 'END' && <End />}
      <div className={styles.fields}>
        <TextField path={['description']} label={t('design.note')} area />
        <p className={styles.id}>{node.id}</p>
      </div>
    </>
  )
}

export function EmptyPolicy() {
  const t = useText()
  const { of } = usePlace()
  const action = valueAt(of, ['emptyPolicy', 'action'])
  const options = (['toAdmin', 'autoPass', 'toUser', 'toInitiatorSuperior', 'error'] as const).map((value) => ({
    value,
    label: t(`design.empty.${value}`),
  }))
  return (
    <>
      <PickField
        path={['emptyPolicy', 'action']}
        label={t('design.emptyPolicy')}
        options={options}
        fallback="toAdmin"
      />
      {action === 'toUser' && (
        <PartyField path={['emptyPolicy', 'user']} label={t('design.person')} kind="user" single />
      )}
    </>
  )
}

export function Notify() {
  const t = useText()
  return (
    <>
      <ManyField
        path={['notify', 'channels']}
        label={t('design.channels')}
        hint={t('design.channelsHint')}
        free
        placeholder="STATION"
        options={[{ value: 'STATION', label: t('design.station') }]}
      />
      <SwitchField path={['notify', 'itemsCompleted']} label={t('design.itemsCompleted')} />
    </>
  )
}

function Mode({ node }: { node: FlowNode }) {
  const t = useText()
  const approve = node.type === 'APPROVE'
  const mode = typeof node.mode === 'string' ? node.mode : 'ANY'
  const modes = approve
    ? (['ANY', 'ALL', 'SEQ', 'CLAIM', 'LEVELS'] as const)
    : (['ANY', 'ALL', 'SEQ', 'CLAIM'] as const)
  return (
    <Section
      title={t('design.sections.mode')}
      keys={['mode', 'resolve', 'agreeExit', 'disagreeExit', 'autoWhen', 'dedupe']}
      open
    >
      <PickField
        path={['mode']}
        label={t('design.mode')}
        fallback="ANY"
        options={modes.map((value) => ({
          value,
          label: t(approve ? `design.modes.${value}` : `design.fillModes.${value as 'ANY'}`),
        }))}
      />
      {(mode === 'CLAIM' || node.resolve === 'live') && (
        <PickField
          path={['resolve']}
          label={t('design.resolve')}
          fallback="entry"
          options={(['entry', 'live'] as const).map((value) => ({ value, label: t(`design.resolves.${value}`) }))}
        />
      )}
      {approve && (mode === 'ALL' || Boolean(node.vote)) && (
        <div className={styles.pair}>
          <NumberField path={['agreeExit']} label={t('design.agreeExit')} max={100} placeholder="100" unit="%" />
          <NumberField path={['disagreeExit']} label={t('design.disagreeExit')} max={100} unit="%" />
        </div>
      )}
      {approve && mode === 'ANY' && <SwitchField path={['firstDecides']} label={t('design.firstDecides')} fallback />}
      {approve && (mode === 'SEQ' || mode === 'LEVELS') && <SwitchField path={['vote']} label={t('design.vote')} />}
      {approve && <SwitchField path={['early']} label={t('design.early')} fallback />}
      <SwitchField path={['batch']} label={t('design.batch')} />
      {approve && (
        <>
          <Dedupe />
          <ExpressionField path={['autoWhen']} label={t('design.autoWhen')} hint={t('design.expressionHint')} />
        </>
      )}
    </Section>
  )
}

export function Dedupe() {
  const t = useText()
  const { node, flow } = usePlace()
  const whole = node ? flow.settings : undefined // what a node does not say, the workflow says
  return (
    <>
      <PickField
        path={['dedupe']}
        label={t('design.dedupe')}
        fallback={typeof whole?.dedupe === 'string' ? whole.dedupe : 'none'}
        options={(['none', 'adjacent', 'any'] as const).map((value) => ({
          value,
          label: t(`design.dedupes.${value}`),
        }))}
      />
      <SwitchField
        path={['skipInitiator']}
        label={t('design.skipInitiator')}
        fallback={whole?.skipInitiator === true}
      />
    </>
  )
}

function Acting({ node }: { node: FlowNode }) {
  const t = useText()
  const words = useDesignWords()
  const { flow } = usePlace()
  const targets = [
    { value: 'start', label: t('design.toStart') },
    { value: 'previous', label: t('design.toPrevious') },
    ...flow.nodes
      .filter((one) => ['FILL', 'APPROVE'].includes(one.type) && one.id !== node.id)
      .map((one) => ({ value: one.id, label: words.node(one) })),
  ]
  return (
    <Section title={t('design.sections.actions')} keys={['actions', 'reject']}>
      <ManyField
        path={['actions']}
        label={t('design.actions')}
        options={ACTIONS.map((value) => ({ value, label: t(`design.acts.${value}`) }))}
        fallback={USUAL[node.type] ?? []}
      />
      {node.type !== 'START' && (
        <>
          <ManyField
            path={['reject', 'targets']}
            label={t('design.rejectTo')}
            options={targets}
            placeholder={t('design.byDefault', { value: t('design.toStart') })}
          />
          <PickField
            path={['reject', 'resubmit']}
            label={t('design.resubmit')}
            fallback="rerun"
            options={(['rerun', 'toRejector', 'choose'] as const).map((value) => ({
              value,
              label: t(`design.resubmits.${value}`),
            }))}
          />
        </>
      )}
    </Section>
  )
}

function Opinion() {
  const t = useText()
  const words = useDesignWords()
  const { model, of } = usePlace()
  const keepers = words.properties(model, (one) => one.opinions)
  return (
    <Section title={t('design.sections.opinion')} keys={['opinion']}>
      <div className={styles.pair}>
        <PickField
          path={['opinion', 'required']}
          label={t('design.opinionRequired')}
          fallback="never"
          options={(['never', 'onReject', 'onDisagree', 'always'] as const).map((value) => ({
            value,
            label: t(`design.requireds.${value}`),
          }))}
        />
        <NumberField
          path={['opinion', 'maxLength']}
          label={t('design.maxLength')}
          min={1}
          max={200}
          placeholder="200"
        />
      </div>
      <SwitchField path={['opinion', 'signature']} label={t('design.signature')} />
      <SwitchField path={['opinion', 'secret']} label={t('design.secret')} />
      {(keepers.length > 1 || valueAt(of, ['opinion', 'propertyCode']) !== undefined) && (
        <PickField
          path={['opinion', 'propertyCode']}
          label={t('design.keptIn')}
          hint={t('design.keptInHint')}
          options={keepers}
        />
      )}
    </Section>
  )
}

const OVERDUE = ['remind', 'toSuperior', 'toUser', 'autoAgree', 'autoReject', 'jump', 'exception'] as const

function Time() {
  const t = useText()
  const words = useDesignWords()
  const { of, set, flow } = usePlace()
  const steps = (valueAt(of, ['time', 'onTimeout']) ?? []) as Bag[]
  const write = (next: Bag[]) => set(['time', 'onTimeout'], next.length > 0 ? next : undefined)
  return (
    <Section title={t('design.sections.time')} keys={['time']}>
      <div className={styles.pair}>
        <NumberField path={['time', 'expectMinutes']} label={t('design.expect')} unit={t('design.minutes')} />
        <NumberField path={['time', 'timeoutMinutes']} label={t('design.timeout')} unit={t('design.minutes')} />
      </div>
      <TextField path={['time', 'calendar']} label={t('design.calendar')} code />
      <Row label={t('design.onTimeout')} path={['time', 'onTimeout']}>
        {() => (
          <div className={styles.people}>
            {steps.map((one, i) => (
              <fieldset key={i} className={styles.card} aria-label={t('design.entry', { at: i + 1 })}>
                <Button
                  type="text"
                  size="small"
                  className={styles.remove ?? ''}
                  aria-label={t('design.removeEntry', { at: i + 1 })}
                  icon={<Icon name="close" size={14} />}
                  onClick={() => write(steps.filter((_, at) => at !== i))}
                />
                <Below path={['time', 'onTimeout', i]}>
                  <PickField
                    path={['action']}
                    label={t('design.action')}
                    needed
                    options={OVERDUE.map((value) => ({ value, label: t(`design.overdue.${value}`) }))}
                  />
                  <NumberField
                    path={['afterMinutes']}
                    label={t('design.after')}
                    unit={t('design.minutes')}
                    placeholder="0"
                  />
                  {one.action === 'remind' && (
                    <NumberField path={['repeatMinutes']} label={t('design.repeat')} unit={t('design.minutes')} />
                  )}
                  {one.action === 'toUser' && (
                    <PartyField path={['user']} label={t('design.person')} kind="user" single />
                  )}
                  {one.action === 'jump' && (
                    <PickField
                      path={['to']}
                      label={t('design.jumpTo')}
                      needed
                      options={flow.nodes
                        .filter((node) => !['JOIN', 'START'].includes(node.type))
                        .map((node) => ({ value: node.id, label: words.node(node) }))}
                    />
                  )}
                </Below>
              </fieldset>
            ))}
            <Button
              size="small"
              icon={<Icon name="plus" size={14} />}
              onClick={() => write([...steps, { action: 'remind' }])}
            >
              {t('design.addStep')}
            </Button>
          </div>
        )}
      </Row>
    </Section>
  )
}

function Routes({ node, change }: Props) {
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

function Join({ join, change }: { join: FlowNode; change: Props['change'] }) {
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

function Service({ node }: { node: FlowNode }) {
  const t = useText()
  const words = useDesignWords()
  const { design, set, of, model } = usePlace()
  const kind = 'http' in node ? 'http' : 'rule' in node ? 'rule' : 'service'
  const own = words.properties(
    model,
    (one) => !one.system && !one.computed && !one.sheet && !one.opinions && !one.code.includes('.'),
  )
  return (
    <Section title={t('design.sections.service')} keys={['service', 'rule', 'http', 'input', 'output', 'retry']} open>
      <Row label={t('design.serviceKind')}>
        {(id) => (
          <Choice<string>
            id={id}
            value={kind}
            options={(['service', 'rule', 'http'] as const).map((value) => ({
              value,
              label: t(`design.services.${value}`),
            }))}
            onChange={(next) => {
              const { service: _, rule: __, http: ___, ...rest } = of
              set([], { ...rest, [String(next)]: next === 'http' ? { url: '' } : '' })
            }}
          />
        )}
      </Row>
      {kind === 'service' && (
        <PickField
          path={['service']}
          label={t('design.services.service')}
          needed
          options={design.services.map((value) => ({ value, label: value }))}
        />
      )}
      {kind === 'rule' && (
        <PickField
          path={['rule']}
          label={t('design.services.rule')}
          needed
          options={design.rules.map((value) => ({ value, label: value }))}
        />
      )}
      {kind === 'http' && (
        <>
          <TextField
            path={['http', 'url']}
            label={t('design.url')}
            hint={t('design.urlHint', { placeholder: '{contractNo}' })}
            code
          />
          <div className={styles.pair}>
            <PickField
              path={['http', 'method']}
              label={t('design.method')}
              fallback="POST"
              options={['GET', 'POST', 'PUT', 'DELETE'].map((value) => ({ value, label: value }))}
            />
            <NumberField
              path={['http', 'timeoutSeconds']}
              label={t('design.seconds')}
              min={1}
              max={300}
              placeholder="30"
            />
          </div>
        </>
      )}
      <Mapping path={['input']} label={t('design.input')} />
      <Mapping path={['output']} label={t('design.output')} keys={own} />
      <SwitchField path={['async']} label={t('design.async')} />
      <div className={styles.pair}>
        <NumberField path={['retry', 'times']} label={t('design.retries')} max={20} placeholder="3" />
        <NumberField
          path={['retry', 'backoffSeconds']}
          label={t('design.backoff')}
          min={1}
          max={86400}
          placeholder="10"
        />
      </div>
    </Section>
  )
}

function Sub({ node }: { node: FlowNode }) {
  const t = useText()
  const words = useDesignWords()
  const { design, model } = usePlace()
  const child = design.workflows.find((one) => one.code === node.workflowCode)
  const { data: theirs } = useQuery(modelQuery(design.appCode, child?.model ?? ''))
  const writable = (of: typeof model) =>
    words.properties(of, (one) => !one.system && !one.computed && !one.sheet && !one.code.includes('.'))
  return (
    <Section title={t('design.sections.sub')} keys={['workflowCode', 'each', 'when', 'input', 'output', 'wait']} open>
      <PickField
        path={['workflowCode']}
        label={t('design.workflow')}
        needed
        options={design.workflows
          .filter((one) => one.code !== design.workflowCode)
          .map((one) => ({ value: one.code, label: words.choice(one) }))}
      />
      <PickField
        path={['each']}
        label={t('design.each')}
        hint={t('design.eachHint')}
        options={words.properties(model, (one) => one.sheet || (one.multiple && one.target !== ''))}
      />
      <ExpressionField path={['when']} label={t('design.subWhen')} hint={t('design.expressionHint')} />
      <Mapping path={['input']} label={t('design.subInput')} {...(theirs && { keys: writable(theirs) })} />
      <Mapping path={['output']} label={t('design.subOutput')} keys={writable(model)} />
      <div className={styles.pair}>
        <PickField
          path={['wait']}
          label={t('design.wait')}
          fallback="ALL"
          options={(['ALL', 'ANY', 'NONE'] as const).map((value) => ({ value, label: t(`design.waits.${value}`) }))}
        />
        <PickField
          path={['onChildVoid']}
          label={t('design.onChildVoid')}
          fallback="fail"
          options={(['fail', 'ignore'] as const).map((value) => ({ value, label: t(`design.voids.${value}`) }))}
        />
      </div>
    </Section>
  )
}

function Wait({ node }: { node: FlowNode }) {
  const t = useText()
  const { of, set } = usePlace()
  const kind = 'signal' in node ? 'signal' : 'until'
  return (
    <Section title={t('design.sections.wait')} keys={['until', 'signal', 'key']} open>
      <Radio.Group
        className={styles.radios ?? ''}
        aria-label={t('design.sections.wait')}
        value={kind}
        onChange={(event) => {
          const { until: _, signal: __, key: ___, ...rest } = of
          set([], event.target.value === 'signal' ? { ...rest, signal: '', key: '' } : { ...rest, until: '' })
        }}
        options={[
          { value: 'until', label: t('design.untilTime') },
          { value: 'signal', label: t('design.untilSignal') },
        ]}
      />
      {kind === 'until' ? (
        <ExpressionField path={['until']} label={t('design.time')} hint={t('design.expressionHint')} keep />
      ) : (
        <>
          <TextField path={['signal']} label={t('design.signal')} code />
          <ExpressionField path={['key']} label={t('design.key')} hint={t('design.keyHint')} keep />
        </>
      )}
    </Section>
  )
}

function End() {
  const t = useText()
  const words = useDesignWords()
  const { model } = usePlace()
  return (
    <Section title={t('design.sections.end')} keys={['result', 'set', 'terminate']} open>
      <PickField
        path={['result']}
        label={t('design.result')}
        fallback="AGREED"
        options={(['AGREED', 'REJECTED'] as const).map((value) => ({ value, label: t(`design.results.${value}`) }))}
      />
      <Mapping
        path={['set']}
        label={t('design.set')}
        values
        keys={words.properties(model, (one) => !one.system && !one.computed && !one.sheet && !one.code.includes('.'))}
      />
      <SwitchField path={['terminate']} label={t('design.terminate')} />
    </Section>
  )
}
