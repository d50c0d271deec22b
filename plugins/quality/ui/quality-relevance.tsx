import {
  NodeTree,
  Notice,
  OptionDot,
  type PageProps,
  packGet,
  packPost,
  packPut,
  Sheet,
  useFeedback,
  useIsDark,
  useIsPhone,
  useText,
} from '@sluice/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Segmented } from 'antd'
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { ImportDialog } from './import-dialog'
import styles from './model/model-page.module.css'
import { ELSEWHERE, HERE, type Placed, placedOf, unboundColor } from './model/placed'
import { type Ask, authorityQuery, nodeQuery, QUALITY } from './shared/api'
import { componentItem, componentsQuery, unboundOf } from './shared/components'
import { HeadActions } from './shared/head-actions'
import look from './shared/look.module.css'
import { Part, ProjectPage, Ready } from './shared/page-frame'
import { type FoundNode, NodeReady, QbsPage } from './shared/qbs-page'
import { type ProjectPlace, useChosen } from './shared/use-place'
import { useWholeTree } from './shared/whole-tree'
import { texts } from './texts'

const ModelView = lazy(() => import('./model/model-view'))

interface Bound {
  id: string
  bindId: string
  code: string
  name: string
  qbsName: string
  ratio: string | null
  measured: boolean
  boundBy: string
}

const boundQuery = (qbsId: string, includeChildren: boolean) => ({
  queryKey: [QUALITY, 'bound', qbsId, includeChildren] as const,
  queryFn: ({ signal }: Ask) => packGet<Bound[]>('/api/quality/v2/mbs/list', { qbsId, includeChildren }, signal),
})

/** The breakdown, what is bound, and the components of the model. */
export default function QualityRelevance({ title }: PageProps) {
  return (
    <ProjectPage title={title}>
      {(project, beside) => <Relevance key={project.key} project={project} title={title} beside={beside} />}
    </ProjectPage>
  )
}

function Relevance({ project, title, beside }: { project: ProjectPlace; title: string; beside: ReactNode }) {
  const t = texts.useText()
  const product = useText()
  const say = useFeedback()
  const phone = useIsPhone()
  const [chosen, choose] = useChosen()
  const [ticked, setTicked] = useState<ReadonlySet<string>>(() => new Set())
  const [unbound, setUnbound] = useState(true)
  const [asked, setAsked] = useState<'rule' | 'import' | null>(null)
  const may = useQuery(authorityQuery('')).data
  const mayHere = useQuery(authorityQuery(chosen ?? '')).data
  const all = componentsQuery(project.key)
  const tree = useWholeTree(
    {
      queryKey: [...all.queryKey, unbound],
      queryFn: async (ask: Ask) => (unbound ? unboundOf(await all.queryFn(ask)) : all.queryFn(ask)),
    },
    componentItem,
  )
  const [space, setSpace] = useState(false)
  const dark = useIsDark()
  const everything = useQuery({ ...all, enabled: space }).data
  const parts = useMemo(() => placedOf(everything ?? []), [everything])
  const seen = useQuery({ ...nodeQuery(chosen ?? ''), enabled: space && chosen !== null }).isSuccess
  const here = useQuery({ ...boundQuery(chosen ?? '', true), enabled: space && seen }).data
  const inNode = useMemo(() => new Set(here?.map((one) => one.id)), [here])
  const colorOf = useCallback(
    ({ id, component }: Placed) => (inNode.has(id) ? HERE : component.boundFlag ? ELSEWHERE : unboundColor(dark)),
    [inNode, dark],
  )
  const bind = useMutation({
    mutationFn: () =>
      packPut<{ bound: number; skipped: number }>('/api/quality/v2/mbs/edit', {
        qbsId: chosen,
        mbsIds: [...ticked],
        mode: 'bind',
      }),
    onSuccess: (done) => {
      setTicked(new Set())
      say.success(t('boundDone', { ...done }))
    },
    onError: say.error,
  })
  const undo = useMutation({
    mutationFn: () =>
      packPost<{ undone: number }>('/api/quality/v2/import/mbs', { projectKey: project.key, undo: 'last' }),
    onSuccess: ({ undone }) =>
      undone > 0 ? say.success(t('undone', { count: undone })) : say.warning(t('nothingToUndo')),
    onError: say.error,
  })
  const confirmUndo = () =>
    say.modal.confirm({
      title: t('undoBinding'),
      content: t('undoText'),
      okText: t('undoBinding'),
      cancelText: product('common.cancel'),
      onOk: () => undo.mutateAsync().catch(() => {}),
    })
  const components = (
    <div className={look.column}>
      <div className={look.columnHead}>
        <h2>{t('components')}</h2>
        <Checkbox
          checked={unbound}
          onChange={(event) => {
            setUnbound(event.target.checked)
            setTicked(new Set())
          }}
        >
          {t('onlyUnbound')}
        </Checkbox>
        <Button size={phone ? 'middle' : 'small'} aria-pressed={space} onClick={() => setSpace(!space)}>
          {t(space ? 'hideModel' : 'model3d')}
        </Button>
        <span className={look.gap} />
        {may?.canBind && chosen && mayHere?.canBind === false && <span className={look.faint}>{t('bindNotHere')}</span>}
        {may?.canBind && mayHere?.canBind !== false && (
          <Button
            type="primary"
            size={phone ? 'middle' : 'small'}
            disabled={!chosen || ticked.size === 0}
            loading={bind.isPending}
            onClick={() => bind.mutate()}
          >
            {ticked.size > 0 ? t('bindCount', { count: ticked.size }) : t('bind')}
          </Button>
        )}
      </div>
      {space && (
        <div className={styles.preview}>
          <p className={look.bar}>
            <OptionDot label={t('boundHere')} color={HERE} />
            <OptionDot label={t('boundElsewhere')} color={ELSEWHERE} />
            <OptionDot label={t('unbound')} color={unboundColor(dark)} />
          </p>
          <Suspense fallback={null}>
            <ModelView
              label={t('modelLabel', { count: parts.length })}
              parts={parts}
              colorOf={colorOf}
              selected={ticked}
              onPick={(id) => {
                const part = parts.find((one) => one.id === id)
                if (part && !(unbound && part.component.boundFlag)) tick(part.id, !ticked.has(part.id))
              }}
            />
          </Suspense>
        </div>
      )}
      <NodeTree
        key={String(unbound)}
        label={t('components')}
        queryKey={[QUALITY, 'components', 'tree', unbound, tree.stamp]}
        hold={tree.hold}
        load={tree.load}
        search={tree.search}
        searchLabel={t('searchComponent')}
        selected={null}
        onSelect={(item) => item.leaf && tick(item.id, !ticked.has(item.id))}
        checked={ticked}
        onCheck={(item, on) => tick(item.id, on)}
        empty={<Notice icon="inbox" title={t(unbound ? 'allBound' : 'noModel')} />}
        noMatch={t('noMatch')}
      />
    </div>
  )
  function tick(id: string, on: boolean) {
    setTicked((now) => {
      const next = new Set(now)
      if (on) next.add(id)
      else next.delete(id)
      return next
    })
  }
  return (
    <>
      <QbsPage
        project={project}
        title={title}
        beside={beside}
        chosen={chosen}
        onChoose={choose}
        actions={
          may?.canBind && (
            <HeadActions
              actions={[
                { key: 'undo', label: t('undoBinding'), busy: undo.isPending, onClick: confirmUndo },
                { key: 'import', label: t('importKind.REL'), icon: 'upload', onClick: () => setAsked('import') },
                { key: 'rule', label: t('bindByRule'), onClick: () => setAsked('rule') },
              ]}
            />
          )
        }
        tree={{ openTo: 3 }}
        end={<Part>{components}</Part>}
        endLabel={t('components')}
      >
        {chosen && (
          <NodeReady id={chosen}>{(node) => <BoundList node={node} mayBind={mayHere?.canBind ?? false} />}</NodeReady>
        )}
      </QbsPage>
      {asked === 'rule' && <RuleDialog project={project} rootId={chosen} onClose={() => setAsked(null)} />}
      {asked === 'import' && <ImportDialog kind="REL" project={project} onClose={() => setAsked(null)} />}
    </>
  )
}

/** Whether a component is divided among nodes: else each ratio is 1. */
const shared = (rows: readonly Bound[]) => rows.some(({ ratio }) => ratio !== null && Number(ratio) !== 1)

/** What is bound to a node, and the way out of it. */
function BoundList({ node, mayBind }: { node: FoundNode; mayBind: boolean }) {
  const t = texts.useText()
  const say = useFeedback()
  const [below, setBelow] = useState(true)
  const [ticked, setTicked] = useState<string[]>([])
  const bound = useQuery(boundQuery(node.id, below))
  const unbind = useMutation({
    mutationFn: () => packPost<{ count: number }>('/api/quality/v2/mbs/unbind', { qbsId: node.id, mbsIds: ticked }),
    onSuccess: ({ count }) => {
      setTicked([])
      say.success(t('unboundDone', { count }))
    },
    onError: say.error,
  })
  return (
    <div className={look.pad}>
      <div className={look.bar}>
        <h2>{node.title}</h2>
        <Checkbox checked={below} onChange={(event) => setBelow(event.target.checked)}>
          {t('withBelow')}
        </Checkbox>
        <span className={look.gap} />
        {mayBind && (
          <Button disabled={ticked.length === 0} loading={unbind.isPending} onClick={() => unbind.mutate()}>
            {ticked.length > 0 ? t('unbindCount', { count: ticked.length }) : t('unbind')}
          </Button>
        )}
      </div>
      <Ready query={bound}>
        {(rows) =>
          rows.length === 0 ? (
            <p className={look.note}>{t('noComponents')}</p>
          ) : (
            <div className={look.scroll}>
              <table className={look.wide}>
                <thead>
                  <tr>
                    {mayBind && <th aria-label={t('choose')} />}
                    <th>{t('component')}</th>
                    <th>{t('componentField.code')}</th>
                    <th>{t('node')}</th>
                    {shared(rows) && <th className={look.num}>{t('ratio')}</th>}
                    <th>{t('boundBy')}</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <tr key={row.bindId}>
                      {mayBind && (
                        <td>
                          <Checkbox
                            aria-label={`${t('choose')} ${row.name}`}
                            disabled={row.measured}
                            checked={ticked.includes(row.id)}
                            onChange={(event) =>
                              setTicked((now) =>
                                event.target.checked ? [...now, row.id] : now.filter((one) => one !== row.id),
                              )
                            }
                          />
                        </td>
                      )}
                      <td className={look.name}>{row.name}</td>
                      <td className={look.code}>{row.code}</td>
                      <td className={look.name}>{row.qbsName}</td>
                      {shared(rows) && <td className={look.num}>{row.ratio}</td>}
                      <td>{row.boundBy}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Ready>
    </div>
  )
}

interface Matched {
  matched: number
  bound: number
  skipped: number
  unmatched: { id: string; code: string; name: string; reason: string }[]
  /** The first of those that a run would bind. */
  pairs: { id: string; code: string; name: string; qbsCode: string; qbsName: string }[]
}

/** Binds by a rule. The count is shown before anything is bound. */
function RuleDialog({
  project,
  rootId,
  onClose,
}: {
  project: ProjectPlace
  rootId: string | null
  onClose: () => void
}) {
  const t = texts.useText()
  const product = useText()
  const say = useFeedback()
  const [rule, setRule] = useState<'byCode' | 'byName'>('byCode')
  const [within, setWithin] = useState(false)
  const call = (dryRun: boolean) =>
    packPost<Matched>('/api/quality/v2/import/mbs', {
      projectKey: project.key,
      rule,
      dryRun,
      ...(within && rootId ? { qbsRootId: rootId } : {}),
    })
  const preview = useQuery({
    queryKey: [QUALITY, 'match', project.key, rule, within ? rootId : ''],
    queryFn: () => call(true),
    staleTime: 0,
    gcTime: 0,
  })
  const run = useMutation({
    mutationFn: () => call(false),
    onSuccess: (done) => {
      say.success(t('boundDone', { ...done }))
      onClose()
    },
    onError: say.error,
  })
  return (
    <Sheet
      title={t('bindByRule')}
      width={760}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{product('common.cancel')}</Button>
          <Button
            type="primary"
            disabled={!preview.data || preview.data.bound === 0}
            loading={run.isPending}
            onClick={() => run.mutate()}
          >
            {preview.data?.bound ? t('bindCount', { count: preview.data.bound }) : t('bind')}
          </Button>
        </>
      }
    >
      <div className={look.form}>
        <Segmented
          block
          value={rule}
          onChange={setRule}
          options={[
            { value: 'byCode', label: t('ruleCode') },
            { value: 'byName', label: t('ruleName') },
          ]}
        />
        {rootId && (
          <Checkbox checked={within} onChange={(event) => setWithin(event.target.checked)} style={{ marginTop: 8 }}>
            {t('withinNode')}
          </Checkbox>
        )}
        <Ready query={preview} rows={3}>
          {(found) => (
            <>
              <p role="status" style={{ marginTop: 8 }}>
                {t('matchSum', { bound: found.bound, skipped: found.skipped, unmatched: found.unmatched.length })}
              </p>
              {found.pairs.length > 0 && (
                <div className={look.scroll} style={{ maxHeight: '30vh' }}>
                  <table className={look.wide} aria-label={t('willBind')}>
                    <thead>
                      <tr>
                        <th>{t('componentField.code')}</th>
                        <th>{t('component')}</th>
                        <th>{t('nodeCode')}</th>
                        <th>{t('node')}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {found.pairs.map((one) => (
                        <tr key={one.id}>
                          <td className={look.code}>{one.code}</td>
                          <td>{one.name}</td>
                          <td className={look.code}>{one.qbsCode}</td>
                          <td>{one.qbsName}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              )}
              {found.pairs.length < found.bound && (
                <p className={look.faint}>{t('firstPairs', { count: found.pairs.length })}</p>
              )}
              {found.unmatched.length > 0 && <h3 className={look.heading}>{t('unmatched')}</h3>}
              {found.unmatched.length > 0 && (
                <div className={look.scroll} style={{ maxHeight: '24vh' }}>
                  <table className={look.wide} aria-label={t('unmatched')}>
                    <tbody>
                      {found.unmatched.slice(0, 200).map((one) => (
                        <tr key={one.id}>
                          <td>{one.code}</td>
                          <td>{one.name}</td>
                          <td className={look.faint}>
                            {t(one.reason === 'REPEAT' ? 'matchesSeveral' : 'matchesNone')}
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              )}
            </>
          )}
        </Ready>
      </div>
    </Sheet>
  )
}
