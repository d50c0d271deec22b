import {
  Choice,
  Failure,
  Icon,
  Notice,
  OptionDot,
  type PageProps,
  Pages,
  packDownload,
  useFeedback,
  useOpenRecord,
} from '@sluice/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { codes } from './codes'
import styles from './matrix.module.css'
import { useFill, waitsFor } from './node/process-list'
import {
  cell,
  nodesOfType,
  type Process,
  processesOfQuery,
  type QbsNode,
  rowsQuery,
  type SheetBinding,
} from './shared/api'
import look from './shared/look.module.css'
import { Part, ProjectPage, Ready } from './shared/page-frame'
import { type ProjectPlace, useChosen } from './shared/use-place'
import { sheetState } from './shared/words'
import { texts } from './texts'

const SIZE = 25

/** Work items down, their processes across, and in each cell how far its sheets are. */
export default function SubprojectInspection({ title }: PageProps) {
  const t = texts.useText()
  return (
    <ProjectPage title={title}>
      {(project, beside) => (
        <div className={look.page}>
          <header className={look.pageHead}>
            <h1>{title}</h1>
            {beside}
          </header>
          <Part>
            <Units project={project} label={t('unitFilter')} />
          </Part>
        </div>
      )}
    </ProjectPage>
  )
}

function Units({ project, label }: { project: ProjectPlace; label: string }) {
  const t = texts.useText()
  const [chosen, choose] = useChosen('unit', false)
  const units = useQuery(nodesOfType(project.key, 'UNIT'))
  return (
    <div className={look.pad}>
      <Ready query={units} rows={8}>
        {(list) => {
          const unit = list.find(({ id }) => id === chosen) ?? list[0]
          if (!unit) return <Notice icon="tree" title={t('noNodes')} />
          return (
            <Matrix
              key={unit.id}
              project={project}
              unit={unit}
              head={
                <Choice
                  aria-label={label}
                  value={unit.id}
                  onChange={(id) => choose(id)}
                  popupMatchSelectWidth={false}
                  style={{ minWidth: 200 }}
                  options={list.map((one) => ({ value: one.id, label: one.title }))}
                />
              }
            />
          )
        }}
      </Ready>
    </div>
  )
}

const STATES = ['NONE', 'DRAFT', 'PROCESSING', 'COMPLETED', 'OVERDUE'] as const

function Legend() {
  return (
    <span className={styles.legend}>
      {STATES.map((one) => {
        const { label, color } = sheetState(one)
        return <OptionDot key={one} label={label} color={color} />
      })}
    </span>
  )
}

const today = () => new Date().toLocaleDateString('sv') // yyyy-mm-dd

/** A sheet that is not there although its node should be finished is overdue. */
export const stateOf = (sheet: Pick<SheetBinding, 'status' | 'required'>, due: string, now: string) =>
  sheet.required && sheet.status !== 'COMPLETED' && due !== '' && due.slice(0, 10) < now ? 'OVERDUE' : sheet.status

function Matrix({ project, unit, head }: { project: ProjectPlace; unit: QbsNode; head: ReactNode }) {
  const t = texts.useText()
  const say = useFeedback()
  const [page, setPage] = useState(0)
  const lots = useQuery(nodesOfType(project.key, 'LOT', unit.id))
  const items = useQuery(nodesOfType(project.key, 'ITEM', unit.id))
  const lowest = useMemo(() => {
    if (!lots.data || !items.data) return undefined
    const all = [...items.data.filter(({ leaf }) => leaf), ...lots.data]
    return all.sort((a, b) => (a.code < b.code ? -1 : 1))
  }, [lots.data, items.data])
  const shown = lowest?.slice(page * SIZE, (page + 1) * SIZE) ?? []
  const dates = useQuery({
    ...rowsQuery(codes.node, { ids: shown.map(({ id }) => id) }),
    enabled: shown.length > 0,
    placeholderData: keepPreviousData,
  })
  const processes = useQuery({
    ...processesOfQuery(shown.map(({ id }) => id)),
    enabled: shown.length > 0,
    placeholderData: keepPreviousData,
  })
  const error = lots.error ?? items.error
  if (error) return <Failure error={error} onRetry={() => Promise.all([lots.refetch(), items.refetch()])} />
  if (!lowest)
    return (
      <>
        <div className={look.bar}>{head}</div>
        <Skeleton active title={false} paragraph={{ rows: 8 }} />
      </>
    )
  if (lowest.length === 0)
    return (
      <>
        <div className={look.bar}>{head}</div>
        <Notice icon="tree" title={t('noItemsInUnit')} />
      </>
    )
  const columns = columnsOf(processes.data ?? [])
  const due = new Map(dates.data?.map((row) => [row.id, cell(row, codes.planFinish)]))
  const parents = new Map(items.data?.map((one) => [one.id, one.title]))
  const now = today()
  return (
    <>
      <div className={look.bar}>
        {head}
        <Legend />
        <span className={look.gap} />
        <Button
          icon={<Icon name="download" />}
          onClick={() => void packDownload('/api/quality/v2/excel/matrix', { qbsId: unit.id }).catch(say.error)}
        >
          {t('exportXlsx')}
        </Button>
      </div>
      <Ready query={processes} rows={8}>
        {(all) =>
          columns.length === 0 ? (
            <Notice icon="inbox" title={t('noProcesses')} text={t('noProcessesText')} />
          ) : (
            <div className={`${look.scroll} ${styles.box}`} aria-busy={processes.isPlaceholderData}>
              <table className={look.wide} aria-label={t('matrix')}>
                <thead>
                  <tr>
                    <th className={styles.first}>{t('workItem')}</th>
                    {columns.map(({ key, name }) => (
                      <th key={key}>{name}</th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {shown.map((node) => {
                    const own = all.filter(({ qbsId }) => qbsId === node.id)
                    return (
                      <tr key={node.id}>
                        <th scope="row" className={styles.first} title={node.code}>
                          {parents.has(node.parentId) && (
                            <span className={look.faint}>{parents.get(node.parentId)} / </span>
                          )}
                          {node.title}
                        </th>
                        {columns.map(({ key, ids }) => (
                          <td key={key}>
                            {processes.isPlaceholderData ? (
                              <Skeleton.Button active size="small" />
                            ) : (
                              own
                                .filter(({ id }) => ids.has(id))
                                .map((process) => (
                                  <Cells
                                    key={process.id}
                                    node={node}
                                    process={process}
                                    all={own}
                                    due={due.get(node.id) ?? ''}
                                    now={now}
                                  />
                                ))
                            )}
                          </td>
                        ))}
                      </tr>
                    )
                  })}
                </tbody>
              </table>
            </div>
          )
        }
      </Ready>
      {lowest.length > SIZE && (
        <Pages
          style={{ marginTop: 12 }}
          current={page + 1}
          pageSize={SIZE}
          total={lowest.length}
          showSizeChanger={false}
          onChange={(next) => setPage(next - 1)}
        />
      )}
    </>
  )
}

interface Column {
  key: string
  name: string
  revision: number
  ids: Set<string>
}

/**
 * Processes of one step of the library are one column, of whichever revision and under whichever name, as are those of one code; and no two columns
 * have one heading. The server writes the spreadsheet by the same rule.
 */
export function columnsOf(processes: readonly Process[]): Column[] {
  const columns: Column[] = []
  const at = new Map<string, Column>()
  for (const { id, code, name, baseId, baseVersion: revision = 0 } of processes) {
    const keys = [...(baseId ? [`base ${baseId}`] : []), `code ${code}`, `title ${name}`]
    const found = keys.map((key) => at.get(key)).find((one) => one)
    const column = found ?? { key: code, name, revision, ids: new Set() }
    if (!found) columns.push(column)
    for (const key of keys) if (!at.has(key)) at.set(key, column)
    if (revision > column.revision) Object.assign(column, { name, revision })
    column.ids.add(id)
  }
  return columns
}

interface CellsProps {
  node: QbsNode
  process: Process
  all: Process[]
  due: string
  now: string
}

/** The sheets of a process: each opens, or begins where there is none. */
function Cells({ node, process, all, due, now }: CellsProps) {
  const t = texts.useText()
  const say = useFeedback()
  const openRecord = useOpenRecord()
  const fill = useFill()
  const before = waitsFor(process, all)
  return (
    <span className={styles.cells}>
      {process.biz.map((sheet) => {
        const code = stateOf(sheet, due, now)
        const { label, color } = sheetState(code)
        return (
          <button
            key={sheet.id}
            type="button"
            className={styles.cell}
            data-state={code}
            title={`${sheet.title}: ${label}`}
            aria-label={`${node.title}, ${sheet.title}: ${label}`}
            onClick={() => {
              if (sheet.bizObjectId) openRecord({ schemaCode: sheet.schemaCode, id: sheet.bizObjectId })
              else if (process.status === 'LOCKED')
                say.warning(t('lockedBy', { names: before.join('、') || t('earlier') }))
              else fill(node, sheet)
            }}
          >
            <OptionDot label={label} color={color} />
          </button>
        )
      })}
    </span>
  )
}
