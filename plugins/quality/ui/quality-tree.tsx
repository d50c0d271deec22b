import {
  askQuery,
  Icon,
  Notice,
  type PageProps,
  packDelete,
  SplitPage,
  type TreeItem,
  trackPath,
  useFeedback,
  useOpenPrint,
  useOpenRecord,
  useText,
} from '@sluice/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Dropdown, type MenuProps, Tabs } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { codes } from './codes'
import { Basics } from './node/basics'
import { ComponentsPart } from './node/components-part'
import { EvaluationPart } from './node/evaluation-part'
import { LogPart } from './node/log-part'
import { AddDialog, EditDialog, MoveDialog } from './node/node-dialogs'
import { ProcessList } from './node/process-list'
import {
  type Ask,
  authorityQuery,
  childrenOf,
  contractsQuery,
  itemOf,
  nodeQuery,
  type QbsNode,
  QUALITY,
  recordQuery,
} from './shared/api'
import { HeadActions } from './shared/head-actions'
import look from './shared/look.module.css'
import { type Offers, useOffers, writes } from './shared/offers'
import { Part, ProjectPage } from './shared/page-frame'
import { NodeHead, NodeReady } from './shared/qbs-page'
import { QbsTree } from './shared/qbs-tree'
import { type ProjectPlace, useChosen } from './shared/use-place'
import { takesWorks } from './shared/words'
import { texts } from './texts'

const LibraryDialog = lazy(() => import('./node/library-dialog').then((m) => ({ default: m.LibraryDialog })))
const ImportDialog = lazy(() => import('./import-dialog').then((m) => ({ default: m.ImportDialog })))

type Asked = { kind: 'add' | 'edit' | 'move' | 'library'; node: QbsNode | null } | { kind: 'import' } | null

/** The breakdown of the works: the tree, and what is known of the node that is chosen in it. */
export default function QualityTree({ title }: PageProps) {
  return (
    <ProjectPage title={title}>
      {(project, beside) => <Tree key={project.key} project={project} title={title} beside={beside} />}
    </ProjectPage>
  )
}

function Tree({ project, title, beside }: { project: ProjectPlace; title: string; beside: ReactNode }) {
  const t = texts.useText()
  const product = useText()
  const [chosen, choose] = useChosen()
  const [tab, setTab] = useChosen('tab', false)
  const [asked, setAsked] = useState<Asked>(null)
  const say = useFeedback()
  const may = useQuery(authorityQuery('')).data
  const place = useAddPlace(project, chosen)
  useQuery({ ...contractsQuery(project.id), enabled: may?.canAdd === true }) // the dialog of a new root has them at once
  const menu = useNodeMenu({ onAsk: setAsked, choose })
  const [opened, setOpened] = useState('') // the node whose menu is open
  const offers = useOffers(opened)
  const roots = useQuery(rootsQuery(project))
  const close = () => setAsked(null)
  const client = useQueryClient()
  const rename = async (item: TreeItem) => {
    const { canEdit } = await askQuery(client, authorityQuery(item.id))
    if (canEdit && writes(await askQuery(client, recordQuery(codes.node, item.id)), codes.name))
      setAsked({ kind: 'edit', node: nodeOf(item) })
  }
  const actions = may?.canAdd && (
    <HeadActions
      actions={[
        ...(may.canImport
          ? [
              {
                key: 'import',
                label: t('importNodes'),
                icon: 'upload' as const,
                onClick: () => setAsked({ kind: 'import' }),
              },
            ]
          : []),
        ...(place.may && takesWorks(place.node)
          ? [
              {
                key: 'library',
                label: t('fromLibrary'),
                onClick: () => setAsked({ kind: 'library', node: place.node }),
              },
            ]
          : []),
        ...(place.may
          ? [
              {
                ...{ key: 'add', label: t(place.node ? 'addPart' : 'addRoot'), icon: 'plus' as const },
                onClick: () => setAsked({ kind: 'add', node: place.node }),
              },
            ]
          : []),
      ]}
    />
  )
  return (
    <>
      <SplitPage
        title={title}
        beside={beside}
        actions={roots.data?.length === 0 ? null : actions}
        sideLabel={t('breakdown')}
        chosen={chosen !== null}
        onBack={() => choose(null)}
        side={
          <QbsTree
            units
            project={project}
            selected={chosen}
            onSelect={(item) => choose(item.id)}
            menu={(item) => menu(item, item.id === opened ? offers : undefined)}
            onMenu={(item) => setOpened(item.id)}
            onRename={(item) => void rename(item).catch(say.error)}
            empty={
              <Notice
                icon="tree"
                title={t('noNodes')}
                actions={
                  may?.canAdd && (
                    <>
                      {may.canImport && (
                        <Button type="primary" onClick={() => setAsked({ kind: 'import' })}>
                          {t('importNodes')}
                        </Button>
                      )}
                      <Button onClick={() => setAsked({ kind: 'library', node: null })}>{t('fromLibrary')}</Button>
                      <Button onClick={() => setAsked({ kind: 'add', node: null })}>{product('common.add')}</Button>
                    </>
                  )
                }
              />
            }
          />
        }
      >
        {chosen ? (
          <NodePart key={chosen} id={chosen} menu={menu} tab={tab ?? 'basics'} onTab={setTab} onChoose={choose} />
        ) : (
          <Notice icon="tree" title={t('chooseNode')} />
        )}
      </SplitPage>
      {asked?.kind === 'add' && (
        <AddDialog
          project={project}
          parent={asked.node}
          onClose={close}
          onAdded={(id) => {
            close()
            choose(id)
          }}
        />
      )}
      {asked?.kind === 'edit' && asked.node && <EditDialog node={asked.node} onClose={close} />}
      {asked?.kind === 'move' && asked.node && <MoveDialog node={asked.node} project={project} onClose={close} />}
      <Suspense fallback={null}>
        {asked?.kind === 'import' && <ImportDialog kind="QBS" project={project} onClose={close} />}
        {asked?.kind === 'library' && (
          <LibraryDialog
            project={project}
            parent={asked.node}
            onClose={close}
            onUndone={() => choose(asked.node?.id ?? null)}
            onMade={(id) => {
              close()
              choose(id)
            }}
          />
        )}
      </Suspense>
    </>
  )
}

const rootsQuery = (project: ProjectPlace) => ({
  queryKey: [QUALITY, 'tree', project.key, '', 'children', ''] as const,
  queryFn: async ({ signal }: Ask) => (await childrenOf(project.key, '', { signal })).map(itemOf),
})

/** Where the buttons of the page add: below the node that is chosen, else below the project's own node, else at the top; and whether the caller may. */
function useAddPlace(project: ProjectPlace, chosen: string | null) {
  const found = useQuery({ ...nodeQuery(chosen ?? ''), enabled: chosen !== null })
  const roots = useQuery(rootsQuery(project)).data
  const only = roots?.length === 1 && roots[0] ? nodeOf(roots[0]) : null
  const top = only?.nodeType === 'PROJECT' ? only : null
  const node = chosen === null ? top : (found.data ?? null)
  const known = chosen === null ? roots !== undefined : found.data !== undefined
  const may = useQuery({ ...authorityQuery(node?.id ?? ''), enabled: known }).data
  return { node, may: known && may?.canAdd === true }
}

const nodeOf = (item: TreeItem): QbsNode =>
  (item.data as QbsNode | undefined) ?? {
    ...{ id: item.id, parentId: item.parentId ?? '', title: item.title, code: item.code ?? '', level: 1 },
    leaf: item.leaf,
  }

interface MenuInput {
  onAsk: (asked: Asked) => void
  choose: (id: string | null, also?: Record<string, string>) => void
}

interface Deleted {
  deleted: number
  refused: { id: string; reasons: string[] }[]
}

/** As many reasons as a dialog shows. */
const REASONS = 4

/** What can be done with a node, by what the caller may do with this one. */
function useNodeMenu({ onAsk, choose }: MenuInput) {
  const t = texts.useText()
  const product = useText()
  const say = useFeedback()
  const navigate = useNavigate()
  const openRecord = useOpenRecord()
  const openPrint = useOpenPrint()
  const client = useQueryClient()
  const remove = (node: { id: string; title: string }) =>
    say.modal.confirm({
      title: t('deleteNode', { name: node.title }),
      content: t('deleteText'),
      okText: product('common.delete'),
      okButtonProps: { danger: true },
      cancelText: product('common.cancel'),
      onOk: () =>
        packDelete<Deleted>('/api/quality/v2/qbs/delete', { ids: [node.id] }).then(({ refused }) => {
          if (refused[0]) return stays(node.title, refused[0].reasons)
          say.success(t('deleted', { name: node.title }))
          choose(null)
          void client.invalidateQueries({ queryKey: [QUALITY] })
        }, say.error),
    })
  const stays = (name: string, reasons: string[]) =>
    void say.modal.warning({
      title: t('notDeleted', { name }),
      content: (
        <ul className={look.reasons}>
          {reasons.slice(0, REASONS).map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
          {reasons.length > REASONS && <li>{t('moreReasons', { count: reasons.length - REASONS })}</li>}
        </ul>
      ),
      okText: product('common.close'),
    })
  return (item: TreeItem, offers: Offers | undefined): MenuProps['items'] => {
    const node = nodeOf(item)
    const may = offers?.may
    const instance = offers?.instance
    return [
      ...(node.leaf || offers?.hasSheets
        ? [
            {
              key: 'fill',
              icon: <Icon name="edit" />,
              label: t('fill'),
              onClick: () => choose(item.id, { tab: 'sheets' }),
            },
          ]
        : []),
      {
        key: 'evaluation',
        icon: <Icon name="chart" />,
        label: t('evaluation'),
        onClick: () => choose(item.id, { tab: 'evaluation' }),
      },
      ...(offers?.canPrint
        ? [
            {
              key: 'print',
              icon: <Icon name="print" />,
              label: t('print'),
              onClick: () => openPrint({ schemaCode: codes.node, ids: [item.id] }),
            },
          ]
        : []),
      ...(instance
        ? [
            {
              key: 'track',
              icon: <Icon name="history" />,
              label: t('track'),
              onClick: () => void navigate(trackPath(instance)),
            },
          ]
        : []),
      ...(may?.canAdd || may?.canEdit || may?.canDelete ? [{ type: 'divider' as const }] : []),
      ...(may?.canAdd && node.nodeType !== 'LOT'
        ? [
            {
              key: 'add',
              icon: <Icon name="plus" />,
              label: t('addPart'),
              onClick: () => onAsk({ kind: 'add', node }),
            },
          ]
        : []),
      ...(offers?.canRename
        ? [
            {
              key: 'edit',
              icon: <Icon name="edit" />,
              label: t('editNode'),
              onClick: () => onAsk({ kind: 'edit', node }),
            },
          ]
        : []),
      ...(may?.canEdit
        ? [
            {
              key: 'form',
              icon: <Icon name="file" />,
              label: t('allFields'),
              onClick: () => openRecord({ schemaCode: codes.node, id: item.id, edit: true }),
            },
          ]
        : []),
      ...(offers?.canMove
        ? [
            {
              key: 'move',
              icon: <Icon name="tree" />,
              label: t('moveNode'),
              onClick: () => onAsk({ kind: 'move', node }),
            },
          ]
        : []),
      ...(may?.canDelete
        ? [
            {
              key: 'delete',
              danger: true,
              icon: <Icon name="trash" />,
              label: product('common.delete'),
              onClick: () => void remove(item),
            },
          ]
        : []),
    ]
  }
}

interface NodeProps {
  id: string
  menu: (item: TreeItem, offers: Offers | undefined) => MenuProps['items']
  tab: string
  onTab: (tab: string) => void
  onChoose: (id: string) => void
}

function NodePart({ id, menu, tab, onTab, onChoose }: NodeProps) {
  const t = texts.useText()
  const product = useText()
  const offers = useOffers(id)
  const may = offers.may
  return (
    <NodeReady id={id}>
      {(found) => {
        const items = [
          { key: 'basics', label: t('basics'), children: <Basics node={found} /> },
          { key: 'sheets', label: t('processesAndSheets'), children: <ProcessList node={found} may={may} /> },
          { key: 'evaluation', label: t('evaluation'), children: <EvaluationPart node={found} /> },
          { key: 'components', label: t('model'), children: <ComponentsPart qbsId={found.id} /> },
          { key: 'measure', label: t('measurement'), children: <p className={look.note}>{t('noMeasurement')}</p> },
          { key: 'log', label: t('log'), children: <LogPart qbsId={found.id} mayRemark={may?.canEdit ?? false} /> },
        ].map((item) => ({
          ...item,
          children: (
            <div className={look.pad}>
              <Part>{item.children}</Part>
            </div>
          ),
        }))
        return (
          <>
            {found.above.length > 0 && (
              <nav className={look.path} aria-label={t('above')}>
                {found.above.map((one) => (
                  <Button key={one.id} type="link" size="small" onClick={() => onChoose(one.id)}>
                    {one.title}
                  </Button>
                ))}
              </nav>
            )}
            <NodeHead
              level
              node={found}
              end={
                <Dropdown
                  trigger={['click']}
                  placement="bottomRight"
                  menu={{
                    items:
                      menu(
                        { id, parentId: found.parentId, title: found.title, leaf: found.leaf, data: found },
                        offers,
                      ) ?? [],
                  }}
                >
                  <Button icon={<Icon name="more" />} aria-label={product('common.more')} />
                </Dropdown>
              }
            />
            <Tabs
              className={look.tabs ?? ''}
              activeKey={items.some(({ key }) => key === tab) ? tab : 'basics'}
              onChange={onTab}
              destroyOnHidden
              items={items}
            />
          </>
        )
      }}
    </NodeReady>
  )
}
