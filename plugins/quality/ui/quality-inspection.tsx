import {
  dropFiles,
  keptFiles,
  newToken,
  type OutboxEntry,
  type PageProps,
  useFeedback,
  useOutbox,
  useSearch,
  withParams,
} from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Draft } from './fill/begin'
import styles from './fill/fill.module.css'
import { sendPhotos } from './fill/photos'
import { MissingPart } from './node/due-part'
import { NcrList } from './node/ncr-list'
import { ProcessList, TemplateDialog } from './node/process-list'
import { authorityQuery } from './shared/api'
import look from './shared/look.module.css'
import { Part, ProjectPage } from './shared/page-frame'
import { NodeHead, NodeReady, QbsPage } from './shared/qbs-page'
import { type ProjectPlace, useChosen } from './shared/use-place'
import { texts } from './texts'

const FillLot = lazy(() => import('./fill/fill-lot').then((m) => ({ default: m.FillLot })))

/** What is filled in on the site: the tree, and the processes and sheets of the node that is chosen in it. */
export default function QualityInspection({ title }: PageProps) {
  return (
    <ProjectPage title={title}>
      {(project, beside) => <Inspection key={project.key} project={project} title={title} beside={beside} />}
    </ProjectPage>
  )
}

interface More {
  nodeId: string
  bizId: string
  draft: Draft
  /** How many photographs go with it. */
  photos?: number
}

const filesOf = (entry: OutboxEntry) => (entry.more as More).draft.files ?? entry.token

async function withPhotos(entry: OutboxEntry) {
  const photos = await keptFiles(filesOf(entry))
  if (photos.length < ((entry.more as More).photos ?? 0)) throw new Error(texts.text('photosLost'))
  if (photos.length === 0) return entry.body
  const data = entry.body.data as Record<string, unknown>
  return { ...entry.body, data: { ...data, photos: await sendPhotos(photos) } }
}

function Inspection({ project, title, beside }: { project: ProjectPlace; title: string; beside: ReactNode }) {
  const t = texts.useText()
  const [search, setSearch] = useSearch()
  const { state } = useLocation()
  const navigate = useNavigate()
  const [chosen, choose] = useChosen()
  const outbox = useOutbox('quality', withPhotos, (entry) => void dropFiles(filesOf(entry)))
  const may = useQuery(authorityQuery('')).data
  const [ticked, setTicked] = useState<ReadonlySet<string> | null>(null)
  const [applying, setApplying] = useState(false)
  const fill = search.get('fill')
  const go = (node: string, sheet: string | null) =>
    setSearch((now) => withParams(now, { node, fill: sheet }), { replace: !sheet, state: sheet ? null : state })
  // Back to the node, and not to a second entry of it.
  const leave = (node: string) => ((state as { filled?: boolean } | null)?.filled ? void navigate(-1) : go(node, null))
  return (
    <>
      <Outbox
        outbox={outbox}
        onMend={(entry, more) => {
          outbox.drop(entry.token)
          go(more.nodeId, more.bizId)
        }}
      />
      <QbsPage
        project={project}
        title={title}
        beside={beside}
        chosen={chosen}
        onChoose={choose}
        onBack={() => (fill && chosen ? leave(chosen) : choose(null))}
        actions={
          may?.canAdd && // who may add nodes may add their processes
          (ticked ? (
            <>
              <Button onClick={() => setTicked(null)}>{t('done')}</Button>
              <Button type="primary" disabled={ticked.size === 0} onClick={() => setApplying(true)}>
                {t('applyTo', { count: ticked.size })}
              </Button>
            </>
          ) : (
            <Button onClick={() => setTicked(new Set())}>{t('applyTemplate')}</Button>
          ))
        }
        tree={{
          openTo: 3,
          ...(ticked
            ? {
                checked: ticked,
                onCheck: (item: { id: string }, on: boolean) => {
                  const next = new Set(ticked)
                  if (on) next.add(item.id)
                  else next.delete(item.id)
                  setTicked(next)
                },
              }
            : {}),
        }}
      >
        {chosen && fill ? (
          <Suspense fallback={null}>
            <FillLot key={fill} nodeId={chosen} bizId={fill} keep={outbox.keep} onClose={() => leave(chosen)} />
          </Suspense>
        ) : (
          chosen && <Chosen id={chosen} />
        )}
      </QbsPage>
      {applying && ticked && (
        <TemplateDialog
          ids={[...ticked]}
          onClose={() => {
            setApplying(false)
            setTicked(null)
          }}
        />
      )}
    </>
  )
}

function Chosen({ id }: { id: string }) {
  const may = useQuery(authorityQuery(id)).data
  return (
    <NodeReady id={id}>
      {(found) => (
        <>
          <NodeHead node={found} />
          <div className={look.pad}>
            <Part>
              <NcrList qbsId={id} bare />
            </Part>
            <Part>
              <MissingPart node={found} />
            </Part>
            <Part>
              <ProcessList node={found} may={may} />
            </Part>
          </div>
        </>
      )}
    </NodeReady>
  )
}

interface OutboxProps {
  outbox: ReturnType<typeof useOutbox>
  onMend: (entry: OutboxEntry, more: More) => void
}

/** Records that wait for the network, and such as the server did not take. */
function Outbox({ outbox, onMend }: OutboxProps) {
  const t = texts.useText()
  const say = useFeedback()
  const waiting = outbox.entries.filter(({ refused }) => !refused)
  const refused = outbox.entries.filter((entry) => entry.refused)
  return (
    <>
      {waiting.length > 0 && (
        <div className={styles.outbox} role="status">
          <span className={look.gap}>
            {t('waiting', { count: waiting.length })} {waiting.map(({ title }) => title).join('、')}
          </span>
          <Button onClick={() => void outbox.flush()}>{t('sendNow')}</Button>
        </div>
      )}
      {refused.map((entry) => (
        <div key={entry.token} className={styles.outbox} role="alert">
          <span className={look.gap}>{t('refused', { title: entry.title, why: entry.refused })}</span>
          <Button
            onClick={() => {
              const more = entry.more as More
              outbox.putBack(['quality', more.nodeId, more.bizId], { ...more.draft, token: newToken() })
              onMend(entry, more)
            }}
          >
            {t('mend')}
          </Button>
          <Button
            danger
            onClick={() =>
              say.modal.confirm({
                title: t('dropRecord', { title: entry.title }),
                onOk: () => {
                  outbox.drop(entry.token)
                  void dropFiles(filesOf(entry))
                },
              })
            }
          >
            {t('drop')}
          </Button>
        </div>
      ))}
    </>
  )
}
