import {
  NodeTree,
  Notice,
  OptionDot,
  optionColor,
  type PageProps,
  packGet,
  SplitPage,
  useIsDark,
  useIsPhone,
  useOpenRecord,
} from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { codes } from './codes'
import { ImportDialog } from './import-dialog'
import { CodeTable } from './model/code-table'
import styles from './model/model-page.module.css'
import { type Placed, placedOf, unboundColor } from './model/placed'
import { type Ask, authorityQuery, type Process, type QbsNode, QUALITY } from './shared/api'
import { type Component, componentItem, componentsQuery } from './shared/components'
import { HeadActions } from './shared/head-actions'
import look from './shared/look.module.css'
import { Part, ProjectPage, Ready } from './shared/page-frame'
import { type ProjectPlace, useChosen } from './shared/use-place'
import { useWholeTree } from './shared/whole-tree'
import { evalState, processState, workState } from './shared/words'
import { texts } from './texts'

/** The components in the colors of what they are bound to. */
export default function QualityModule({ title }: PageProps) {
  return (
    <ProjectPage title={title}>
      {(project, beside) => <Model key={project.key} project={project} title={title} beside={beside} />}
    </ProjectPage>
  )
}

const ModelView = lazy(() => import('./model/model-view'))

type By = 'evalStatus' | 'workStatus'

/** What components are colored by, with the states of each. */
const LEGENDS: Record<By, { states: readonly string[]; of: typeof evalState }> = {
  evalStatus: { states: ['NONE', 'PENDING', 'QUALIFIED', 'UNQUALIFIED', 'REWORK'], of: evalState },
  workStatus: { states: ['NOT_STARTED', 'DOING', 'DONE'], of: workState },
}

/** The state of a component; '' of one that is not bound. */
const stateOf = (node: Component, by: By) => (node.boundFlag ? (node[by] ?? LEGENDS[by].states[0] ?? '') : '')

/** The color of a component in space. */
export const boxColor = (node: Component, by: By, unbound: string) => {
  const state = stateOf(node, by)
  return state === '' ? unbound : optionColor(LEGENDS[by].of(state).color)
}

interface ModelProps {
  project: ProjectPlace
  title: string
  beside: ReactNode
  /** The table of codes: what is in the model, and the way in. */
  table?: boolean
}

export function Model({ project, title, beside, table = false }: ModelProps) {
  const t = texts.useText()
  const openRecord = useOpenRecord()
  const [chosen, choose] = useChosen('component')
  const [importing, setImporting] = useState(false)
  const may = useQuery(authorityQuery('')).data
  const tree = useWholeTree<Component>(componentsQuery(project.key), componentItem)
  const [by, setBy] = useState<By>('evalStatus')
  const counts = countOf(tree.whole.data ?? [], by)
  const phone = useIsPhone()
  const dark = useIsDark()
  const [view, setView] = useChosen('view')
  const close = () => choose(null, { view: null })
  return (
    <>
      <SplitPage
        title={title}
        beside={beside}
        sideLabel={t('components')}
        chosen={chosen !== null || view !== null}
        onBack={close}
        actions={
          !table && phone ? (
            <Button type="primary" onClick={() => setView('model')}>
              {t('model3d')}
            </Button>
          ) : (
            table &&
            may?.canImport && (
              <HeadActions
                actions={[
                  { key: 'import', label: t('importKind.MBS'), icon: 'upload', onClick: () => setImporting(true) },
                  {
                    key: 'add',
                    label: t('addComponent'),
                    icon: 'plus',
                    onClick: () =>
                      openRecord({
                        schemaCode: codes.component,
                        relation: { propertyCode: codes.projectId, id: project.id },
                      }),
                  },
                ]}
              />
            )
          )
        }
        side={
          <NodeTree
            label={t('components')}
            queryKey={[QUALITY, 'components', 'colored', tree.stamp]}
            hold={tree.hold}
            load={tree.load}
            search={tree.search}
            above={tree.above}
            searchLabel={t('searchComponent')}
            selected={chosen}
            onSelect={(item) => choose(item.id)}
            empty={<Notice icon="inbox" title={t('noModel')} />}
            noMatch={t('noMatch')}
          />
        }
      >
        <div className={styles.page}>
          <p className={styles.legend}>
            {!table && (
              <Segmented
                size={phone ? 'middle' : 'small'}
                aria-label={t('colorBy')}
                value={by}
                onChange={setBy}
                options={[
                  { value: 'evalStatus', label: t('colorEval') },
                  { value: 'workStatus', label: t('colorWork') },
                ]}
              />
            )}
            {LEGENDS[by].states.map((one) => {
              const { label, color } = LEGENDS[by].of(one)
              return <OptionDot key={one} label={`${label} ${counts.get(one) ?? 0}`} color={color} />
            })}
            <OptionDot label={`${t('unbound')} ${counts.get('') ?? 0}`} color={unboundColor(dark)} />
          </p>
          {!table && tree.whole.data && <Space nodes={tree.whole.data} by={by} chosen={chosen} onPick={choose} />}
          {table && tree.whole.data && tree.whole.data.length > 0 && (
            <div className={styles.codes}>
              <CodeTable nodes={tree.whole.data} chosen={chosen} unbound={unboundColor(dark)} onChoose={choose} />
            </div>
          )}
          {chosen && (
            <section className={styles.info} aria-label={t('component')}>
              <Part key={chosen}>
                <Info id={chosen} />
              </Part>
            </section>
          )}
        </div>
      </SplitPage>
      {importing && <ImportDialog kind="MBS" project={project} onClose={() => setImporting(false)} />}
    </>
  )
}

interface SpaceProps {
  nodes: readonly Component[]
  by: By
  chosen: string | null
  onPick: (id: string | null) => void
}

/** The components in space. A parent that is chosen in the tree has all its parts outlined. */
function Space({ nodes, by, chosen, onPick }: SpaceProps) {
  const t = texts.useText()
  const parts = useMemo(() => placedOf(nodes), [nodes])
  const selected = useMemo(() => new Set(chosen ? leavesOf(nodes, chosen) : []), [nodes, chosen])
  const dark = useIsDark()
  const colorOf = useCallback((part: Placed) => boxColor(part.component, by, unboundColor(dark)), [by, dark])
  if (parts.length === 0)
    return nodes.length > 0 && <Notice icon="inbox" title={t('noBoxes')} text={t('noBoxesText')} />
  return (
    <div className={styles.space}>
      <Suspense fallback={null}>
        <ModelView
          label={t('modelLabel', { count: parts.length })}
          parts={parts}
          colorOf={colorOf}
          selected={selected}
          onPick={onPick}
        />
      </Suspense>
    </div>
  )
}

/** The ids of a component or, of a parent, of all parts below it. */
export function leavesOf(nodes: readonly Component[], id: string, inside = false): string[] {
  return nodes.flatMap((node) => {
    const within = inside || node.id === id
    if (node.children?.length) return leavesOf(node.children, id, within)
    return within ? [node.id] : []
  })
}

/** How many components there are of each state; '' counts those that are not bound. */
export function countOf(
  nodes: readonly Component[],
  by: By = 'evalStatus',
  into = new Map<string, number>(),
): Map<string, number> {
  for (const node of nodes) {
    if (node.children?.length) countOf(node.children, by, into)
    else {
      const state = stateOf(node, by)
      into.set(state, (into.get(state) ?? 0) + 1)
    }
  }
  return into
}

interface ComponentInfo {
  component: Record<string, string | null>
  qbs: QbsNode | null
  processes: Process[]
}

const infoQuery = (mbsId: string) => ({
  queryKey: [QUALITY, 'component', mbsId] as const,
  queryFn: ({ signal }: Ask) => packGet<ComponentInfo>('/api/quality/v2/mbsInfo', { mbsId }, signal),
})

/** A component, its node and how far that is. */
function Info({ id }: { id: string }) {
  const t = texts.useText()
  const navigate = useNavigate()
  const { appCode = '' } = useParams()
  const info = useQuery(infoQuery(id))
  return (
    <Ready query={info}>
      {({ component, qbs, processes }) => {
        const state = evalState(qbs?.status?.evalStatus ?? 'NONE')
        const work = workState(qbs?.status?.workStatus ?? 'NOT_STARTED')
        return (
          <>
            <h2 className={look.heading}>{component.name}</h2>
            <dl className={look.facts}>
              {(['code', 'guid', 'ifcClass', 'storey', 'volume'] as const).map(
                (key) =>
                  component[key] && (
                    <div key={key}>
                      <dt>{t(`componentField.${key}`)}</dt>
                      <dd>{component[key]}</dd>
                    </div>
                  ),
              )}
            </dl>
            {qbs ? (
              <>
                <h3 className={look.heading}>{t('node')}</h3>
                <p className={look.bar}>
                  <Button
                    type="link"
                    style={{ paddingInline: 0 }}
                    onClick={() =>
                      void navigate(
                        `/application/${appCode}/application-page/quality/qualityTree?code=qualityTree&node=${qbs.id}`,
                      )
                    }
                  >
                    {qbs.title}
                  </Button>
                  <OptionDot label={state.label} color={state.color} />
                  <OptionDot label={work.label} color={work.color} />
                </p>
                {processes.map((process) => {
                  const { label, color } = processState(process.status)
                  return (
                    <div key={process.id} className={look.sheet}>
                      <span className={look.sheetTitle}>{process.name}</span>
                      <span className={look.faint}>{t('sheetsDone', { ...process.bizCount })}</span>
                      <OptionDot label={label} color={color} />
                    </div>
                  )
                })}
              </>
            ) : (
              <p className={look.note}>{t('notBound')}</p>
            )}
          </>
        )
      }}
    </Ready>
  )
}
