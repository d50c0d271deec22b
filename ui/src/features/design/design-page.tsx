import { useQuery } from '@tanstack/react-query'
import { Button, ConfigProvider, Skeleton } from 'antd'
import { useMemo, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { Icon } from '@/components/icon'
import { usePageTitle } from '@/lib/page-title'
import { Failure } from '@/sdk/failure'
import { useFeedback } from '@/sdk/feedback'
import { lostOf } from '@/sdk/lost'
import { administersWorkflows, useMe } from '@/sdk/me'
import { useText } from '@/sdk/use-text'
import { choicesQuery, type Design, modelQuery } from './api'
import { type Added, Canvas, type NodeAct } from './canvas'
import { useChangeWords } from './changes'
import styles from './design.module.css'
import { type Edge, type Flow, isFlow } from './document'
import {
  addBranch,
  addNode,
  addSplit,
  type Changed,
  type Clip,
  canRemove,
  clipOf,
  copyBranch,
  moveBranch,
  moveItem,
  type Names,
  paste,
  removeBranch,
  removeItem,
  setNode,
  stepPlace,
} from './edit'
import { PlaceProvider } from './form'
import { NewWorkflow } from './new-workflow'
import { NodePanel } from './node-panel'
import { type FlowProblem, problemsOf } from './problems'
import { SettingsPanel } from './settings-panel'
import { checkDocument, nameOf } from './shared/api'
import { begin } from './shared/begun'
import { Designer } from './shared/designer'
import { setAt } from './shared/json'
import { type Beginning, OpenDocument } from './shared/open-document'
import { useDesigner } from './shared/use-designer'
import { useKeys } from './shared/use-keys'
import { indexOf, spotOf, treeOf } from './tree'
import { useDesignWords } from './words'

const addressOf = (appCode: string, code: string) =>
  `/workflow-design/${encodeURIComponent(appCode)}/${encodeURIComponent(code)}`

/** A workflow that is being drawn, in a tab of its own. */
export function DesignPage() {
  const t = useText()
  const navigate = useNavigate()
  const { appCode = '', workflowCode = '' } = useParams()
  const fresh = workflowCode === 'new'
  const { data, error } = useQuery(choicesQuery(appCode, fresh ? '' : workflowCode))
  const of = useMemo(() => nameOf('workflow', workflowCode, appCode), [workflowCode, appCode])
  usePageTitle(t('design.title'))
  const lost = lostOf({ data, error })
  if (lost) return <Failure page error={lost} who={t('desk.forbidden')} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 8 }} style={{ padding: 24 }} />
  const design = { ...data, workflowCode: fresh ? '' : workflowCode }
  if (fresh)
    return (
      <NewWorkflow
        design={design}
        addressOf={(code) => addressOf(appCode, code)}
        onBegin={(code, flow) => {
          begin('workflow', code, flow)
          void navigate(addressOf(appCode, code), { replace: true })
        }}
      />
    )
  return (
    <OpenDocument
      key={workflowCode}
      of={of}
      draws={isFlow}
      refusal={t('design.notAFlow')}
      empty={() => null}
      address={addressOf(appCode, 'new')}
    >
      {(beginning) => <Editor design={design} beginning={beginning} />}
    </OpenDocument>
  )
}

/** The card of a node on the screen. */
const cardOf = (id: string) =>
  [...document.querySelectorAll<HTMLElement>('[data-node]')].find((card) => card.dataset.node === id)

const ZOOMS = [0.4, 1.6] as const

interface EditorProps {
  design: Design
  beginning: Beginning<Flow>
}

const NAMES: Partial<Record<Added, Names>> = {
  APPROVE: { zh: '审批', en: 'Approval' },
  FILL: { zh: '填写', en: 'Fill in' },
  CIRCULATE: { zh: '抄送', en: 'Copies' },
  SERVICE: { zh: '系统活动', en: 'Service' },
  SUB: { zh: '子流程', en: 'Sub-workflow' },
  WAIT: { zh: '等待', en: 'Wait' },
}

function Editor({ design, beginning }: EditorProps) {
  const t = useText()
  const words = useDesignWords()
  const changeWords = useChangeWords()
  const say = useFeedback()
  const me = useMe()
  const doc = useDesigner({
    ...beginning,
    draws: isFlow,
    check: checkDocument,
    address: addressOf(design.appCode, design.workflowCode),
  })
  const { before, history, check, checked } = doc
  const flow = doc.now
  const [view, setView] = useState<'flow' | 'source'>('flow')
  const [selected, setSelected] = useState<string | null>(null)
  const [settings, setSettings] = useState(false)
  const [zoom, setZoom] = useState(1)
  const [clip, setClip] = useState<{ clip: Clip; cut: string | null } | null>(null)
  const { data: model } = useQuery(
    modelQuery(design.appCode, typeof flow.schemaCode === 'string' ? flow.schemaCode : ''),
  )

  const problems = check && checked ? problemsOf(check.diagnostics, checked) : []
  const name = words.own(flow) || design.workflowCode

  const { change } = doc
  const focus = (id: string) => requestAnimationFrame(() => cardOf(id)?.focus())
  const go = ({ flow: next, id }: Changed) => {
    if (next === flow || doc.readOnly) return
    change(next)
    focus(id)
  }
  const open = (id: string | null) => {
    setSettings(false)
    setSelected(id)
  }
  const close = () => {
    if (selected) focus(selected)
    setSelected(null)
    setSettings(false)
  }
  const add = (place: Edge[], what: Added) => {
    if (doc.readOnly) return
    if (what === 'paste') {
      if (clip?.cut) go(moveItem(flow, clip.cut, place))
      else if (clip) go(paste(flow, place, clip.clip))
      if (clip?.cut) setClip(null)
      return
    }
    const next =
      what === 'XOR' || what === 'OR' || what === 'AND'
        ? addSplit(flow, place, what)
        : addNode(flow, place, what, NAMES[what])
    go(next)
    open(next.id)
  }
  const act = (id: string, what: NodeAct) => {
    if (what === 'open') return open(id)
    if (doc.readOnly && what !== 'copy') return
    if (what === 'copy' || what === 'cut') {
      const found = clipOf(flow, id)
      if (!found) return
      setClip({ clip: found, cut: what === 'cut' ? id : null })
      return say.success(t(what === 'cut' ? 'design.cutDone' : 'design.copied'))
    }
    if (what === 'remove') {
      if (!canRemove(flow, id)) return say.warning(t('design.cannotRemove'))
      const spot = spotOf(treeOf(flow), id)
      const next = spot?.lane.items[spot.at - 1]?.node.id ?? flow.nodes[0]?.id
      change(removeItem(flow, id))
      if (selected === id) setSelected(null)
      if (next) focus(next)
      return
    }
    const place = stepPlace(flow, id, what === 'up' ? -1 : 1)
    if (place) go(moveItem(flow, id, place))
  }
  const branch = (id: string, what: 'add' | 'copy' | 'left' | 'right' | 'remove', at: number) => {
    if (what === 'add') change(addBranch(flow, id))
    else if (what === 'copy') change(copyBranch(flow, id, at))
    else if (what === 'remove') change(removeBranch(flow, id, at))
    else change(moveBranch(flow, id, at, what === 'left' ? -1 : 1))
  }
  useKeys({ undo: history.undo, redo: history.redo, close, panel: selected !== null || settings })

  const node = selected === null ? undefined : indexOf(flow).get(selected)
  const leadTo = (one: FlowProblem) => {
    setView('flow')
    if (one.node === null) {
      setSelected(null)
      setSettings(true)
      return
    }
    const join = indexOf(flow).get(one.node)
    const id = join?.type === 'JOIN' && typeof join.of === 'string' ? join.of : one.node
    open(id)
    requestAnimationFrame(() => cardOf(id)?.scrollIntoView({ block: 'center', inline: 'center' }))
  }
  return (
    <Designer
      doc={doc}
      draws={isFlow}
      refusal={t('design.notAFlow')}
      name={name}
      place={[words.label(design.appLabel), model && words.label(model.label)]}
      views={[{ value: 'flow' as const, label: t('design.flow') }]}
      view={view}
      onView={setView}
      problems={problems}
      onGo={leadTo}
      changes={changeWords}
      note={design.running > 0 ? t('design.runningStay', { count: design.running }) : t('design.noneRunning')}
      onLoaded={() => open(null)}
      addressOf={(code) => addressOf(design.appCode, code)}
      actions={
        <>
          {before !== null && administersWorkflows(me) && (
            <Button
              type="text"
              href={`/workflow-center/workflow-versions?workflowCode=${encodeURIComponent(design.workflowCode)}`}
              target="_blank"
              rel="noopener"
            >
              {t('design.versions')}
            </Button>
          )}
          <Button
            onClick={() => {
              setSelected(null)
              setSettings(true)
            }}
          >
            {t('design.settings')}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        {view === 'flow' && (
          <>
            <Canvas
              flow={flow}
              design={design}
              model={model}
              problems={problems}
              selected={selected}
              cut={clip?.cut ?? null}
              canPaste={clip !== null}
              onSelect={open}
              onAdd={add}
              onAct={act}
              onBranch={branch}
              zoom={zoom}
              onZoom={(next) => setZoom(Math.min(ZOOMS[1], Math.max(ZOOMS[0], next)))}
            />
            <div className={styles.zoom}>
              <Button
                type="text"
                size="small"
                aria-label={t('design.smaller')}
                disabled={zoom <= ZOOMS[0]}
                icon={<Icon name="minus" size={14} />}
                onClick={() => setZoom(Math.max(ZOOMS[0], zoom - 0.1))}
              />
              <Button
                type="text"
                size="small"
                aria-label={t('design.normalSize', { percent: Math.round(zoom * 100) })}
                onClick={() => setZoom(1)}
              >
                {Math.round(zoom * 100)}%
              </Button>
              <Button
                type="text"
                size="small"
                aria-label={t('design.larger')}
                disabled={zoom >= ZOOMS[1]}
                icon={<Icon name="plus" size={14} />}
                onClick={() => setZoom(Math.min(ZOOMS[1], zoom + 0.1))}
              />
            </div>
          </>
        )}
        {(node || settings) && view === 'flow' && (
          <aside className={styles.panel} aria-label={t('design.properties')}>
            <div className={styles.panelHead}>
              <h2 title={node ? words.node(node) : undefined}>{node ? words.node(node) : t('design.settings')}</h2>
              <Button type="text" aria-label={t('design.close')} icon={<Icon name="close" />} onClick={close} />
            </div>
            <ConfigProvider componentDisabled={doc.readOnly}>
              <div className={styles.panelBody} key={node?.id ?? ''}>
                <PlaceProvider
                  value={{
                    of: node ?? flow,
                    problems: problems.filter((one) => one.node === (node?.id ?? null)),
                    set: (path, value) => {
                      const of = `${node?.id ?? ''}/${path.join('/')}`
                      change(
                        node ? setNode(flow, node.id, (old) => setAt(old, path, value)) : setAt(flow, path, value),
                        of,
                      )
                    },
                    flow,
                    node: node ?? null,
                    design,
                    model,
                  }}
                >
                  {node ? <NodePanel node={node} change={change} published={before !== null} /> : <SettingsPanel />}
                </PlaceProvider>
              </div>
            </ConfigProvider>
          </aside>
        )}
      </div>
    </Designer>
  )
}
