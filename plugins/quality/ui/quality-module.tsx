import { NodeTree, Notice, OptionDot, type PageProps, packGet, SplitPage, useOpenRecord } from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { ImportDialog } from './import-dialog'
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

const LEGEND = ['NONE', 'PENDING', 'QUALIFIED', 'UNQUALIFIED', 'REWORK'] as const

interface ModelProps {
  project: ProjectPlace
  title: string
  beside: ReactNode
  /** The table of codes: what is in the model, and the way in. */
  codes?: boolean
}

export function Model({ project, title, beside, codes = false }: ModelProps) {
  const t = texts.useText()
  const openRecord = useOpenRecord()
  const [chosen, choose] = useChosen('component')
  const [importing, setImporting] = useState(false)
  const may = useQuery(authorityQuery('')).data
  const tree = useWholeTree<Component>(componentsQuery(project.key), componentItem)
  const counts = countOf(tree.whole.data ?? [])
  return (
    <>
      <SplitPage
        title={title}
        beside={beside}
        sideLabel={t('components')}
        chosen={chosen !== null}
        onBack={() => choose(null)}
        actions={
          codes &&
          may?.canImport && (
            <HeadActions
              actions={[
                { key: 'import', label: t('importKind.MBS'), icon: 'upload', onClick: () => setImporting(true) },
                {
                  key: 'add',
                  label: t('addComponent'),
                  icon: 'plus',
                  onClick: () => openRecord({ schemaCode: 'b_mbs' }),
                },
              ]}
            />
          )
        }
        side={
          <NodeTree
            label={t('components')}
            queryKey={[QUALITY, 'components', 'colored', tree.stamp]}
            load={tree.load}
            search={tree.search}
            searchLabel={t('searchComponent')}
            selected={chosen}
            onSelect={(item) => choose(item.id)}
            empty={<Notice icon="inbox" title={t('noModel')} />}
            noMatch={t('noMatch')}
          />
        }
      >
        <div className={look.pad}>
          {!codes && <p className={look.note}>{t('noViewer')}</p>}
          <p className={look.bar} style={{ marginTop: 12 }}>
            {LEGEND.map((one) => {
              const { label, color } = evalState(one)
              return <OptionDot key={one} label={`${label} ${counts.get(one) ?? 0}`} color={color} />
            })}
            <span className={look.faint}>
              {t('unbound')} {counts.get('') ?? 0}
            </span>
          </p>
          {chosen && (
            <Part key={chosen}>
              <Info id={chosen} />
            </Part>
          )}
        </div>
      </SplitPage>
      {importing && <ImportDialog kind="MBS" project={project} onClose={() => setImporting(false)} />}
    </>
  )
}

/** How many components there are of each state; '' counts those that are not bound. */
export function countOf(nodes: readonly Component[], into = new Map<string, number>()): Map<string, number> {
  for (const node of nodes) {
    if (node.children?.length) countOf(node.children, into)
    else {
      const state = node.boundFlag ? (node.evalStatus ?? 'NONE') : ''
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
