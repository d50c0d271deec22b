import {
  Choice,
  Icon,
  Notice,
  OptionDot,
  packPost,
  trackPath,
  useFeedback,
  useMayStart,
  useOpenPrint,
  useOpenRecord,
  useStart,
  useText,
} from '@sluice/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Tag } from 'antd'
import { useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { codes } from '../codes'
import {
  type Authority,
  cell,
  type Process,
  processesQuery,
  type QbsNode,
  QUALITY,
  rowsQuery,
  type SheetBinding,
  sheetsQuery,
} from '../shared/api'
import { FormSheet } from '../shared/form-sheet'
import look from '../shared/look.module.css'
import { Ready } from '../shared/page-frame'
import { processState, sheetState } from '../shared/words'
import { texts } from '../texts'

interface Props {
  node: Pick<QbsNode, 'id' | 'title' | 'leaf' | 'status'>
  may: Authority | undefined
}

/** The processes of a node with their sheets: what is locked and by what, what can be begun, opened, printed and followed. */
export function ProcessList({ node, may }: Props) {
  const t = texts.useText()
  const processes = useQuery(processesQuery(node.id))
  const sheets = useQuery(sheetsQuery(node.id))
  const [applying, setApplying] = useState(false)
  const openRecord = useOpenRecord()
  const own = (sheets.data ?? []).filter(({ jbsId }) => !jbsId)
  return (
    <>
      <Ready query={processes}>
        {(list) =>
          list.length === 0 && own.length === 0 ? (
            <Notice
              icon="inbox"
              title={node.leaf ? t('noProcesses') : t('noProcessesAbove')}
              actions={
                node.leaf && may?.canAdd ? (
                  <>
                    <Button type="primary" onClick={() => setApplying(true)}>
                      {t('applyTemplate')}
                    </Button>
                    <Button
                      onClick={() =>
                        openRecord({ schemaCode: codes.process, relation: { propertyCode: codes.qbsId, id: node.id } })
                      }
                    >
                      {t('addProcess')}
                    </Button>
                  </>
                ) : undefined
              }
            />
          ) : (
            <>
              {list.map((process) => (
                <ProcessPart key={process.id} node={node} process={process} all={list} />
              ))}
              {own.length > 0 && <h3 className={look.heading}>{t('ownSheets')}</h3>}
              {own.map((sheet) => (
                <SheetLine key={sheet.id} node={node} sheet={sheet} locked={null} />
              ))}
            </>
          )
        }
      </Ready>
      {applying && <TemplateDialog ids={[node.id]} onClose={() => setApplying(false)} />}
    </>
  )
}

/** The required processes before one that are not done, by name. */
export function waitsFor(process: Process, all: readonly Process[]): string[] {
  if (process.status !== 'LOCKED') return []
  return (process.prevIds ?? [])
    .map((id) => all.find((one) => one.id === id))
    .filter((one) => one !== undefined && one.status !== 'DONE')
    .map((one) => one?.name ?? '')
}

function ProcessPart({ node, process, all }: { node: Props['node']; process: Process; all: Process[] }) {
  const t = texts.useText()
  const before = waitsFor(process, all)
  const locked = process.status === 'LOCKED' ? before.join('、') || t('earlier') : null
  const state = processState(process.status)
  return (
    <section className={look.process} aria-label={process.name}>
      <header className={look.processHead}>
        <h3>{process.name}</h3>
        <OptionDot label={state.label} color={state.color} />
        <span className={look.faint}>{t('sheetsDone', { ...process.bizCount })}</span>
        {locked && <span className={look.faint}>{t('waitsFor', { names: locked })}</span>}
      </header>
      {process.biz.map((sheet) => (
        <SheetLine key={sheet.id} node={node} sheet={sheet} locked={locked} />
      ))}
    </section>
  )
}

function SheetLine({ node, sheet, locked }: { node: Props['node']; sheet: SheetBinding; locked: string | null }) {
  const t = texts.useText()
  const product = useText()
  const say = useFeedback()
  const navigate = useNavigate()
  const openRecord = useOpenRecord()
  const openPrint = useOpenPrint()
  const fill = useFill()
  const state = sheetState(sheet.status)
  const start = useStart(sheet.schemaCode, sheet.workflowCode)
  const mayStart = useMayStart()
  const client = useQueryClient()
  const submit = useMutation({
    mutationFn: () => start(sheet.bizObjectId ?? '', false),
    onSettled: () => client.invalidateQueries({ queryKey: [QUALITY] }),
  })
  const again = sheet.multi || sheet.schemaCode === codes.record || sheet.status === 'CANCELED'
  const track = async () => {
    const rows = await rowsQuery(sheet.schemaCode, { ids: [sheet.bizObjectId ?? ''] })
      .queryFn({ signal: new AbortController().signal })
      .catch(() => [])
    const instance = rows[0]?.workflowInstanceId
    if (instance) void navigate(trackPath(instance))
    else say.warning(t('noWorkflow', { title: sheet.title }))
  }
  return (
    <div className={look.sheet}>
      <span className={look.sheetTitle}>
        {sheet.title} <Tag>{t(`bizKind.${sheet.bizKind}` as never)}</Tag>
        {!sheet.required && <span className={look.faint}>{t('optional')}</span>}
      </span>
      <OptionDot label={state.label} color={state.color} />
      <span className={look.sheetButtons}>
        {(sheet.instances === 0 || again) && sheet.mayFill === false && <ByOthers kind={sheet.bizKind} />}
        {(sheet.instances === 0 || again) && sheet.mayFill !== false && (
          <Button
            size="small"
            type={sheet.instances === 0 && !locked ? 'primary' : 'default'}
            aria-disabled={locked ? true : undefined}
            {...(locked ? { icon: <Icon name="key" size={14} />, title: t('waitsFor', { names: locked }) } : {})}
            aria-label={`${t('fill')} ${sheet.title}`}
            onClick={() => (locked ? say.warning(t('lockedBy', { names: locked })) : fill(node, sheet))}
          >
            {sheet.instances > 0 ? t('fillAgain') : t('fill')}
          </Button>
        )}
        {sheet.bizObjectId && sheet.status === 'DRAFT' && sheet.mayFill !== false && mayStart(sheet.workflowCode) && (
          <Button
            size="small"
            type="primary"
            loading={submit.isPending}
            aria-label={`${t('submit')} ${sheet.title}`}
            onClick={() => submit.mutate()}
          >
            {t('submit')}
          </Button>
        )}
        {sheet.bizObjectId && (
          <>
            <Button
              size="small"
              aria-label={`${product('common.open')} ${sheet.title}`}
              onClick={() => openRecord({ schemaCode: sheet.schemaCode, id: sheet.bizObjectId ?? '' })}
            >
              {product('common.open')}
            </Button>
            <Button
              size="small"
              type="text"
              aria-label={`${t('print')} ${sheet.title}`}
              icon={<Icon name="print" />}
              onClick={() => openPrint({ schemaCode: sheet.schemaCode, ids: [sheet.bizObjectId ?? ''] })}
            />
            {sheet.workflowCode && sheet.status !== 'DRAFT' && (
              <Button
                size="small"
                type="text"
                aria-label={`${t('track')} ${sheet.title}`}
                icon={<Icon name="history" />}
                onClick={() => void track()}
              />
            )}
          </>
        )}
      </span>
    </div>
  )
}

/** Who fills in what the reader may not. */
export function ByOthers({ kind }: { kind: string }) {
  const t = texts.useText()
  const who = kind === 'SUP' || kind === 'TEST' ? t(`due.filledBy.${kind}`) : t('due.byOthers')
  return <span className={look.faint}>{who}</span>
}

/** Begins a sheet: an inspection in its own page, others in their form. */
export function useFill() {
  const { appCode = '' } = useParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const openRecord = useOpenRecord()
  return (node: { id: string; title: string }, sheet: SheetBinding) => {
    if (sheet.schemaCode === codes.record) {
      const query = new URLSearchParams({ code: 'QualityInspection', node: node.id, fill: sheet.id })
      const to = `/application/${appCode}/application-page/quality/QualityInspection`
      void navigate(`${to}?${query}`, { state: { filled: pathname === to } })
      return
    }
    openRecord({
      schemaCode: sheet.schemaCode,
      ...(sheet.sheetCode ? { sheetCode: sheet.sheetCode } : {}),
      relation: { propertyCode: codes.bizId, id: sheet.id },
      given: { qbsId: { id: node.id, name: node.title } },
    })
  }
}

/** Copies the processes and sheets of a template of the library to nodes. */
export function TemplateDialog({ ids, onClose }: { ids: string[]; onClose: () => void }) {
  const t = texts.useText()
  const say = useFeedback()
  const templates = useQuery(
    rowsQuery(codes.library, { filters: [{ propertyCode: codes.kind, propertyValue: codes.template }] }),
  )
  const [chosen, setChosen] = useState<string | null>(null)
  const only = templates.data?.length === 1 ? templates.data[0]?.id : null
  const id = chosen ?? only ?? null
  const apply = useMutation({
    mutationFn: () =>
      packPost<{ created: number; skipped: number }>('/api/quality/v2/qbs/jbs', { qbsIds: ids, jbsBaseId: id }),
    onSuccess: (done) => {
      say.success(t('applied', { ...done }))
      onClose()
    },
    onError: say.error,
  })
  return (
    <FormSheet
      title={t('applyTemplate')}
      ok={t('apply')}
      ready={id !== null}
      busy={apply.isPending}
      onOk={() => apply.mutate()}
      onClose={onClose}
    >
      <p className={look.note}>{t('applyHint', { count: ids.length })}</p>
      <Ready query={templates} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <p>{t('noTemplates')}</p>
          ) : (
            <Choice
              aria-label={t('template')}
              placeholder={t('template')}
              value={id}
              onChange={setChosen}
              options={rows.map((row) => ({ value: row.id, label: cell(row, codes.title) }))}
            />
          )
        }
      </Ready>
    </FormSheet>
  )
}
