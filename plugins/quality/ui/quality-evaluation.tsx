import {
  canonical,
  Icon,
  OptionDot,
  type PageProps,
  packPut,
  useFeedback,
  useOpenRecord,
  useText,
  useTextContext,
  valueText,
} from '@sluice/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { codes } from './codes'
import { type Item, shownReadings, toleranceText } from './fill/readings'
import { WhyPending } from './node/due-part'
import { EvaluationPart } from './node/evaluation-part'
import { type Ask, cell, packGetChildren, type QbsNode, QUALITY, recordQuery, rowsQuery } from './shared/api'
import look from './shared/look.module.css'
import { Part, ProjectPage, Ready } from './shared/page-frame'
import { NodeHead, NodeReady, QbsPage } from './shared/qbs-page'
import { type ProjectPlace, useChosen } from './shared/use-place'
import { conclusionState, evalState, outOf, shareOf } from './shared/words'
import { texts } from './texts'

/** The evaluation from the top down to single readings, and the rules that judged them. */
export default function QualityEvaluation({ title }: PageProps) {
  return (
    <ProjectPage title={title}>
      {(project, beside) => <Evaluation key={project.key} project={project} title={title} beside={beside} />}
    </ProjectPage>
  )
}

/** The same, open down to the lots. */
export function LotEvaluation({ title }: PageProps) {
  return (
    <ProjectPage title={title}>
      {(project, beside) => <Evaluation key={project.key} project={project} title={title} beside={beside} openTo={5} />}
    </ProjectPage>
  )
}

interface EvaluationProps {
  project: ProjectPlace
  title: string
  beside: ReactNode
  /** Branches down to this level are open at first. */
  openTo?: number
}

function Evaluation({ project, title, beside, openTo }: EvaluationProps) {
  const t = texts.useText()
  const say = useFeedback()
  const [chosen, choose] = useChosen()
  const refresh = useMutation({
    mutationFn: () =>
      packPut<{ recomputed: number }>('/api/quality/check/refresh/record/status', {
        projectKey: project.key,
        ...(chosen ? { qbsId: chosen } : {}),
      }),
    onSuccess: ({ recomputed }) => say.success(t('recomputed', { count: recomputed })),
    onError: say.error,
  })
  return (
    <QbsPage
      project={project}
      title={title}
      beside={beside}
      chosen={chosen}
      onChoose={choose}
      {...(openTo ? { tree: { openTo } } : {})}
      actions={
        <Button icon={<Icon name="refresh" />} loading={refresh.isPending} onClick={() => refresh.mutate()}>
          {t('recompute')}
        </Button>
      }
    >
      {chosen && <Chosen id={chosen} onChoose={choose} />}
    </QbsPage>
  )
}

function Chosen({ id, onChoose }: { id: string; onChoose: (id: string) => void }) {
  return (
    <NodeReady id={id}>
      {(found) => (
        <>
          <NodeHead node={found} />
          <div className={look.pad}>
            {!found.leaf && (
              <Part>
                <Children id={id} onChoose={onChoose} />
              </Part>
            )}
            <Part>
              <EvaluationPart node={found} />
            </Part>
            <Part>
              <Points qbsId={id} />
            </Part>
          </div>
        </>
      )}
    </NodeReady>
  )
}

const childrenQuery = (id: string) => ({
  queryKey: [QUALITY, 'evaluated', id] as const,
  queryFn: (ask: Ask) => packGetChildren(id, ask),
})

/** The parts of a node with their rates; each leads one level down. */
function Children({ id, onChoose }: { id: string; onChoose: (id: string) => void }) {
  const t = texts.useText()
  const parts = useQuery(childrenQuery(id))
  return (
    <Ready query={parts}>
      {(rows) => (
        <div className={look.scroll} style={{ marginBottom: 24 }}>
          <table className={look.wide} aria-label={t('parts')}>
            <thead>
              <tr>
                <th>{t('nodeName')}</th>
                <th>{t('evaluation')}</th>
                <th className={look.num}>{t('passRate')}</th>
                <th className={look.num}>{t('points')}</th>
                <th className={look.num}>{t('mainItems')}</th>
                <th className={look.num}>{t('generalItems')}</th>
                <th className={look.num}>{t('sheets')}</th>
                <th className={look.num}>{t('ncrOpen')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <PartRow key={row.id} node={row} onChoose={onChoose} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Ready>
  )
}

function PartRow({ node, onChoose }: { node: QbsNode; onChoose: (id: string) => void }) {
  const t = texts.useText()
  const status = node.status
  const name = (
    <td>
      <Button type="link" size="small" style={{ paddingInline: 0 }} onClick={() => onChoose(node.id)}>
        {node.title}
      </Button>
    </td>
  )
  if (!status)
    return (
      <tr>
        {name}
        <td colSpan={7} className={look.faint}>
          {t('notVisible')}
        </td>
      </tr>
    )
  const state = evalState(status.evalStatus)
  const of = (ok: number, n: number) => (n > 0 ? t('ofTotal', { ok, n }) : '')
  return (
    <tr>
      {name}
      <td>
        <OptionDot label={state.label} color={state.color} />{' '}
        {status.evalStatus === 'PENDING' && <WhyPending id={node.id} count={status.missing ?? 0} />}
      </td>
      <td className={look.num}>{shareOf(status.passRate)}</td>
      <td className={look.num}>{of(status.okPoints, status.points)}</td>
      <td className={look.num}>{of(status.items.main.ok, status.items.main.n)}</td>
      <td className={look.num}>{of(status.items.general.ok, status.items.general.n)}</td>
      <td className={look.num}>{of(status.bizCount.done, status.bizCount.total)}</td>
      <td className={look.num}>{status.ncrOpen || ''}</td>
    </tr>
  )
}

/** The readings of the latest record, item by item. */
function Points({ qbsId }: { qbsId: string }) {
  const t = texts.useText()
  const openRecord = useOpenRecord()
  const [chosen, setChosen] = useState<string | null>(null)
  const records = useQuery(
    rowsQuery(codes.record, {
      filters: [{ propertyCode: codes.qbsId, propertyValue: qbsId }],
      orderBy: codes.checkDate,
      down: true,
    }),
  )
  const rows = [...(records.data ?? [])].sort((a, b) => Number(cell(b, codes.round)) - Number(cell(a, codes.round)))
  const at = rows.find(({ id }) => id === chosen) ?? rows[0]
  if (!at) return null
  return (
    <>
      <h3 className={look.heading}>{t('readings')}</h3>
      <div className={look.bar}>
        {rows.map((row) => (
          <Button
            key={row.id}
            size="small"
            aria-pressed={row.id === at.id}
            type={row.id === at.id ? 'primary' : 'default'}
            onClick={() => setChosen(row.id)}
          >
            {t('roundOf', { round: cell(row, codes.round), number: cell(row, 'sequenceNo') })}
          </Button>
        ))}
        <Button size="small" type="link" onClick={() => openRecord({ schemaCode: codes.record, id: at.id })}>
          {t('openRecord')}
        </Button>
      </div>
      <ItemRows id={at.id} />
    </>
  )
}

/** A decimal text without the zeros that its scale adds. */
const plain = (value: unknown) =>
  value === null || value === undefined ? '' : (canonical(String(value)) ?? '').replace('-', '−')

/** The tolerance of a row of a record, in the words of the page on which it is filled in. */
const toleranceOf = (row: Record<string, unknown>) => {
  const bound = (code: string) => (row[code] === null || row[code] === undefined ? null : canonical(String(row[code])))
  return toleranceText({
    ...{ devLow: bound(codes.devLow), devHigh: bound(codes.devHigh) },
    ...{ limitLow: bound(codes.limitLow), limitHigh: bound(codes.limitHigh) },
  } as Item)
}

function ItemRows({ id }: { id: string }) {
  const t = texts.useText()
  const product = useText()
  const words = { yes: product('common.yes'), no: product('common.no') }
  const context = useTextContext()
  const record = useQuery(recordQuery(codes.record, id))
  return (
    <Ready query={record}>
      {({ form, data }) => {
        const columns = form.fields.find(({ propertyCode }) => propertyCode === codes.items)?.children ?? []
        const items = (data[codes.items] ?? []) as Record<string, unknown>[]
        const text = (row: Record<string, unknown>, code: string) => {
          const field = columns.find(({ propertyCode }) => propertyCode === code)
          return field ? valueText(row[code], field, context) : ''
        }
        return (
          <div className={look.scroll}>
            <table className={look.wide}>
              <thead>
                <tr>
                  <th>{t('checkItem')}</th>
                  <th>{t('classWord')}</th>
                  <th className={look.num}>{t('design')}</th>
                  <th>{t('tolerance')}</th>
                  <th>{t('readings')}</th>
                  <th className={look.num}>{t('points')}</th>
                  <th className={look.num}>{t('passRate')}</th>
                  <th>{t('conclusionWord')}</th>
                </tr>
              </thead>
              <tbody>
                {items.map((row, i) => {
                  const state = conclusionState(String(row.conclusion ?? ''))
                  return (
                    <tr key={String(row.id ?? i)}>
                      <td>{text(row, codes.itemId) || text(row, codes.itemName)}</td>
                      <td>{text(row, codes.itemClass)}</td>
                      <td className={look.num}>{plain(row.designValue)}</td>
                      <td>{toleranceOf(row)}</td>
                      <td style={{ minWidth: 160 }}>
                        {shownReadings(String(row.values ?? ''), String(row[codes.evalMethod] ?? ''), words)}
                      </td>
                      <td className={look.num}>{outOf(row.okPoints, row.points)}</td>
                      <td className={look.num}>{row.rate === null ? '' : shareOf(String(row.rate ?? ''))}</td>
                      <td>
                        <OptionDot label={state.label} color={state.color} />
                      </td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </div>
        )
      }}
    </Ready>
  )
}
