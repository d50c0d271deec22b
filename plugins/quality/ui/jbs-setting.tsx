import {
  Icon,
  NodeTree,
  Notice,
  type PageProps,
  packGet,
  packPost,
  Sheet,
  SplitPage,
  type TreeItem,
  useFeedback,
  useOpenRecord,
  useText,
} from '@sluice/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Tag } from 'antd'
import { type ReactNode, useCallback, useState } from 'react'
import { codes } from './codes'
import { ImportDialog } from './import-dialog'
import { type Ask, authorityQuery, cell, QUALITY, rowsQuery } from './shared/api'
import { HeadActions } from './shared/head-actions'
import look from './shared/look.module.css'
import { Part, ProjectPage, Ready } from './shared/page-frame'
import { type ProjectPlace, useChosen } from './shared/use-place'
import { useWholeTree } from './shared/whole-tree'
import { texts } from './texts'

interface LibraryNode {
  id: string
  title: string
  code: string
  leaf: boolean
  kind: 'TYPE' | 'TEMPLATE' | 'GROUP' | 'PROCESS' | 'SHEET' | 'ITEM'
  required: boolean
  revision?: number
  bizKind?: string
  itemClass?: string
  children: LibraryNode[]
}

interface Drift {
  kind: string
  code: string
  title: string
  was?: string
  what?: { code: string; was: string; is: string }[]
  kept?: boolean
}
interface Synced {
  nodesAdded: number
  sheetsAdded: number
  renamed: number
  deactivated: number
  keptBecauseUsed: number
  nodes: { qbsId: string; code: string; name: string; added: Drift[]; removed: Drift[]; changed: Drift[] }[]
}

const MODEL: Record<string, string> = {
  TEMPLATE: codes.library,
  GROUP: codes.library,
  PROCESS: codes.library,
  SHEET: codes.libraryBinding,
  ITEM: codes.checkItem,
}

/** The library at the left; at the right, where its templates are in use, and what a sync would change. */
export default function JbsSetting({ title }: PageProps) {
  return (
    <ProjectPage title={title}>
      {(project, beside) => <Setting key={project.key} project={project} title={title} beside={beside} />}
    </ProjectPage>
  )
}

function Setting({ project, title, beside }: { project: ProjectPlace; title: string; beside: ReactNode }) {
  const t = texts.useText()
  const openRecord = useOpenRecord()
  const [chosen, choose] = useChosen('template')
  const [importing, setImporting] = useState(false)
  const may = useQuery(authorityQuery('')).data
  const tree = useWholeTree(
    {
      queryKey: [QUALITY, 'library'],
      queryFn: ({ signal }: Ask) => packGet<LibraryNode[]>('/api/quality/v2/system/tree', {}, signal),
    },
    useCallback(
      (node: LibraryNode, parentId: string | null): TreeItem => ({
        id: node.id,
        parentId,
        title: node.title,
        code: node.code,
        leaf: node.children.length === 0,
        figure: texts.text(`libraryKind.${node.kind}`),
        data: node,
      }),
      [],
    ),
  )
  const [picked, setPicked] = useState<LibraryNode | null>(null)
  return (
    <>
      <SplitPage
        title={title}
        beside={beside}
        sideLabel={t('library')}
        chosen={chosen !== null}
        onBack={() => choose(null)}
        actions={
          may?.canEdit && (
            <HeadActions
              actions={[
                { key: 'import', label: t('importKind.JBS'), icon: 'upload', onClick: () => setImporting(true) },
                {
                  key: 'add',
                  label: t('addTemplate'),
                  icon: 'plus',
                  onClick: () => openRecord({ schemaCode: codes.library }),
                },
              ]}
            />
          )
        }
        side={
          <NodeTree
            label={t('library')}
            queryKey={[QUALITY, 'library', 'tree', tree.stamp]}
            hold={tree.hold}
            load={tree.load}
            search={tree.search}
            selected={chosen}
            onSelect={(item) => {
              setPicked(item.data as LibraryNode)
              choose(item.id)
            }}
            menu={(item) => {
              const node = item.data as LibraryNode
              const model = MODEL[node.kind]
              return model
                ? [
                    {
                      key: 'open',
                      icon: <Icon name="file" />,
                      label: t('openRecord'),
                      onClick: () => openRecord({ schemaCode: model, id: node.id }),
                    },
                    ...(model === codes.library && may?.canEdit
                      ? [
                          {
                            key: 'process',
                            icon: <Icon name="plus" />,
                            label: t('addProcess'),
                            onClick: () =>
                              openRecord({
                                schemaCode: codes.library,
                                relation: { propertyCode: codes.parentId, id: node.id },
                              }),
                          },
                          {
                            key: 'sheet',
                            icon: <Icon name="plus" />,
                            label: t('addSheet'),
                            onClick: () =>
                              openRecord({
                                schemaCode: codes.libraryBinding,
                                relation: { propertyCode: codes.jbsBaseId, id: node.id },
                              }),
                          },
                        ]
                      : []),
                  ]
                : []
            }}
            empty={<Notice icon="tree" title={t('noTemplates')} />}
            noMatch={t('noMatch')}
          />
        }
      >
        {chosen ? (
          <Part key={chosen}>
            <Template
              id={chosen}
              picked={picked?.id === chosen ? picked : null}
              project={project}
              mayEdit={may?.canEdit ?? false}
            />
          </Part>
        ) : (
          <Notice icon="tree" title={t('chooseTemplate')} />
        )}
      </SplitPage>
      {importing && <ImportDialog kind="JBS" project={project} onClose={() => setImporting(false)} />}
    </>
  )
}

interface TemplateProps {
  id: string
  picked: LibraryNode | null
  project: ProjectPlace
  mayEdit: boolean
}

function Template({ id, picked, project, mayEdit }: TemplateProps) {
  const t = texts.useText()
  const uses = useQuery({
    ...rowsQuery(codes.node, {
      filters: [
        { propertyCode: codes.jbsTemplateId, propertyValue: id },
        { propertyCode: codes.projectId, propertyValue: project.id },
      ],
      size: 500,
    }),
    enabled: picked?.kind === 'TEMPLATE' || picked === null,
  })
  // A link leads to a template that was not chosen in the tree.
  const named = useQuery({ ...rowsQuery(codes.library, { ids: [id] }), enabled: picked === null }).data?.[0]
  const title = picked?.title ?? cell(named, codes.title)
  const revision = picked?.revision ?? (Number(cell(named, codes.revision)) || 1)
  const [asked, setAsked] = useState(false)
  if (picked && picked.kind !== 'TEMPLATE')
    return (
      <div className={look.pad}>
        <h2 className={look.heading}>{picked.title}</h2>
        <p className={look.note}>
          {[t(`libraryKind.${picked.kind}`), picked.code, picked.required ? t('required') : t('optional')]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <p className={look.note}>{t('chooseTemplate')}</p>
      </div>
    )
  return (
    <div className={look.pad}>
      {title && (
        <>
          <h2 className={look.heading}>{title}</h2>
          <p className={look.note}>{t('revisionOf', { revision })}</p>
        </>
      )}
      <div className={look.bar} style={{ marginTop: 12 }}>
        <h3>{t('instances')}</h3>
        <span className={look.faint}>{uses.data && t('nodeCount', { count: uses.data.length })}</span>
        <span className={look.gap} />
        {mayEdit && (
          <Button
            icon={<Icon name="refresh" />}
            disabled={(uses.data?.length ?? 0) === 0}
            onClick={() => setAsked(true)}
          >
            {t('sync')}
          </Button>
        )}
      </div>
      <Ready query={uses}>
        {(rows) =>
          rows.length === 0 ? (
            <p className={look.note}>{t('noInstances')}</p>
          ) : (
            <table className={look.wide}>
              <thead>
                <tr>
                  <th>{t('nodeCode')}</th>
                  <th>{t('nodeName')}</th>
                  <th className={look.num}>{t('sheets')}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.id}>
                    <td>{cell(row, codes.code)}</td>
                    <td>{cell(row, codes.name)}</td>
                    <td className={look.num}>
                      {t('ofTotal', { ok: cell(row, codes.sheetDone) || 0, n: cell(row, codes.sheetTotal) || 0 })}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Ready>
      {asked && <SyncDialog id={id} projectKey={project.key} onClose={() => setAsked(false)} />}
    </div>
  )
}

/** The values of a process or sheet that a sync would change. */
function Differences({ of }: { of: NonNullable<Drift['what']> }) {
  const t = texts.useText()
  const word = (code: string, value: string) => {
    if (code === 'required' || code === 'multi') return t(value ? 'yes' : 'no')
    if (value === '') return t('nothing')
    return code === 'bizKind' ? t(`bizKind.${value}` as never) : value
  }
  return (
    <span className={look.faint}>
      {' '}
      {of
        .map(({ code, was, is }) =>
          t('logChange', { name: t(`driftField.${code}` as never), from: word(code, was), to: word(code, is) }),
        )
        .join(t('comma'))}
    </span>
  )
}

/** What a sync would do, before it does it. */
function SyncDialog({ id, projectKey, onClose }: { id: string; projectKey: string; onClose: () => void }) {
  const t = texts.useText()
  const product = useText()
  const say = useFeedback()
  const call = (dryRun: boolean) => packPost<Synced>('/api/quality/v2/syncJbs', { projectKey, jbsBaseId: id, dryRun })
  const preview = useQuery({ queryKey: [QUALITY, 'sync', id], queryFn: () => call(true), staleTime: 0, gcTime: 0 })
  const run = useMutation({
    mutationFn: () => call(false),
    onSuccess: (done) => {
      say.success(t('synced', { ...done }))
      onClose()
    },
    onError: say.error,
  })
  const kinds = [
    ['added', 'green'],
    ['changed', 'gold'],
    ['removed', 'red'],
  ] as const
  return (
    <Sheet
      title={t('sync')}
      width={720}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{product('common.cancel')}</Button>
          <Button
            type="primary"
            disabled={(preview.data?.nodes.length ?? 0) === 0}
            loading={run.isPending}
            onClick={() => run.mutate()}
          >
            {t('syncRun')}
          </Button>
        </>
      }
    >
      <Ready query={preview} rows={5}>
        {(found) =>
          found.nodes.length === 0 ? (
            <p>{t('nothingToSync')}</p>
          ) : (
            <>
              <p>{t('syncSum', { ...found })}</p>
              <div className={look.scroll} style={{ maxHeight: '50vh', marginTop: 8 }}>
                <table className={look.wide}>
                  <tbody>
                    {found.nodes.slice(0, 200).map((node) => (
                      <tr key={node.qbsId}>
                        <td style={{ verticalAlign: 'top' }}>
                          {node.code} {node.name}
                        </td>
                        <td>
                          {kinds.flatMap(([kind, color]) =>
                            node[kind].map((one) => (
                              <p key={`${kind}${one.kind}${one.code}${one.title}`}>
                                <Tag color={color}>{t(`drift.${kind}`)}</Tag>
                                {one.title}
                                {one.what && <Differences of={one.what} />}
                                {one.kept && <span className={look.faint}> {t('keptUsed')}</span>}
                              </p>
                            )),
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          )
        }
      </Ready>
    </Sheet>
  )
}
