import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { useParams } from 'react-router'
import { Icon } from '@/components/icon'
import { Notice } from '@/components/notice'
import { usePageTitle } from '@/lib/page-title'
import { Failure } from '@/sdk/failure'
import { useFeedback } from '@/sdk/feedback'
import { lostOf } from '@/sdk/lost'
import { administersWorkflows, useMe } from '@/sdk/me'
import { UsesButton } from '@/sdk/names/uses-dialog'
import { useText } from '@/sdk/use-text'
import { checkDraft, type Design, designQuery, keepDraft, modelQuery, publishDraft } from './api'
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
import { Banners } from './shared/banners'
import { readJson, setAt } from './shared/json'
import { PublishDialog } from './shared/publish-dialog'
import { Source } from './shared/source'
import { Top } from './shared/top'
import { useDocument } from './shared/use-document'
import { useKeys } from './shared/use-keys'
import { indexOf, spotOf, treeOf } from './tree'
import { useDesignWords } from './words'

/** A workflow that is being drawn, in a tab of its own. */
export function DesignPage() {
  const t = useText()
  const { appCode = '', workflowCode = '' } = useParams()
  const [begun, setBegun] = useState<{ code: string; flow: Flow } | null>(null)
  const fresh = workflowCode === 'new'
  const { data, error } = useQuery(designQuery(appCode, fresh ? null : workflowCode))
  usePageTitle(t('design.title'))
  const lost = lostOf({ data, error })
  if (lost) return <Failure page error={lost} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 8 }} style={{ padding: 24 }} />
  if (fresh && !begun) return <NewWorkflow design={data} onBegin={(code, flow) => setBegun({ code, flow })} />
  if (fresh && begun)
    return <Editor key={begun.code} design={{ ...data, workflowCode: begun.code }} first={begun.flow} before={null} />
  const flow = readJson(data.text)
  if (!isFlow(flow)) return <Notice page role="alert" icon="alert" title={t('design.notAFlow')} />
  return <Editor key={data.workflowCode} design={data} first={flow} before={flow} />
}

/** The card of a node on the screen. */
const cardOf = (id: string) =>
  [...document.querySelectorAll<HTMLElement>('[data-node]')].find((card) => card.dataset.node === id)

const ZOOMS = [0.4, 1.6] as const

interface EditorProps {
  design: Design
  first: Flow
  /** What is published; null: it is new. */
  before: Flow | null
}

const NAMES: Partial<Record<Added, Names>> = {
  APPROVE: { zh: '审批', en: 'Approval' },
  FILL: { zh: '填写', en: 'Fill in' },
  CIRCULATE: { zh: '抄送', en: 'Copies' },
  SERVICE: { zh: '系统活动', en: 'Service' },
  SUB: { zh: '子流程', en: 'Sub-workflow' },
  WAIT: { zh: '等待', en: 'Wait' },
}

function Editor({ design: opened, first, before: published }: EditorProps) {
  const t = useText()
  const words = useDesignWords()
  const changeWords = useChangeWords()
  const say = useFeedback()
  const me = useMe()
  const doc = useDocument({
    kind: 'workflow-design',
    code: opened.workflowCode,
    opened,
    first,
    published,
    draws: isFlow,
    check: (draft, { appCode, workflowCode }) => checkDraft({ appCode, workflowCode, ...draft }),
    publish: (draft, { appCode, workflowCode }) => publishDraft({ appCode, workflowCode, ...draft }),
    keep: (draft, { appCode, workflowCode }) => keepDraft({ appCode, workflowCode, ...draft }),
  })
  const { design, before, history, check, checked, checking } = doc
  const flow = history.now
  const [view, setView] = useState<'flow' | 'source'>('flow')
  const [selected, setSelected] = useState<string | null>(null)
  const [settings, setSettings] = useState(false)
  const [zoom, setZoom] = useState(1)
  const [clip, setClip] = useState<{ clip: Clip; cut: string | null } | null>(null)
  const [asking, setAsking] = useState(false)
  const { data: model } = useQuery(
    modelQuery(design.appCode, typeof flow.schemaCode === 'string' ? flow.schemaCode : ''),
  )

  const problems = check && checked ? problemsOf(check.diagnostics, checked) : []
  const name = words.own(flow) || design.workflowCode
  usePageTitle(t('design.titleOf', { name }))

  const change = (next: Flow, of: string | null = null) => history.set(next, of)
  const focus = (id: string) => requestAnimationFrame(() => cardOf(id)?.focus())
  const go = ({ flow: next, id }: Changed) => {
    if (next === flow) return
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
  const publish = () => void doc.publish().finally(() => setAsking(false))
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
    <div className={styles.page}>
      <Top
        name={name}
        place={[words.label(design.appLabel), model && words.label(model.label)]}
        code={design.workflowCode}
        view={view}
        views={[
          { value: 'flow', label: t('design.flow') },
          { value: 'source', label: t('design.source') },
        ]}
        onView={setView}
        history={history}
        problems={problems}
        checking={checking}
        onGo={leadTo}
        canPublish={doc.changed}
        onPublish={() => setAsking(true)}
      >
        {before !== null && (
          <UsesButton appCode={design.appCode} kind="workflow" name={design.workflowCode} title={name} />
        )}
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
      </Top>
      <Banners draft={doc.draft} changedBy={doc.changedBy} others={doc.others} onTake={change} />
      <div className={styles.body}>
        {view === 'flow' ? (
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
        ) : (
          <Source
            document={flow}
            draws={isFlow}
            refusal={t('design.notAFlow')}
            onChange={(next) => change(next, 'source')}
          />
        )}
        {(node || settings) && view === 'flow' && (
          <aside className={styles.panel} aria-label={t('design.properties')}>
            <div className={styles.panelHead}>
              <h2 title={node ? words.node(node) : undefined}>{node ? words.node(node) : t('design.settings')}</h2>
              <Button type="text" aria-label={t('design.close')} icon={<Icon name="close" />} onClick={close} />
            </div>
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
          </aside>
        )}
      </div>
      {asking && (
        <PublishDialog
          name={words.own(flow) || flow.schemaCode}
          changes={changeWords(before, flow)}
          note={design.running > 0 ? t('design.runningStay', { count: design.running }) : t('design.noneRunning')}
          problems={problems.filter((one) => one.severity !== 'error')}
          ways={check?.ways ?? []}
          busy={doc.busy}
          onPublish={publish}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
