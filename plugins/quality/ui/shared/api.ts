import { ApiError, ERROR, get, packGet, post, type Row, type TreeItem } from '@sluice/sdk'
import { codes } from '../codes'
import { texts } from '../texts'
import { evalState, shareOf } from './words'

export interface Passed {
  n: number
  ok: number
}
export interface Done {
  total: number
  done: number
}

export interface NodeStatus {
  evalStatus: string
  workStatus: string
  passRate: string | null
  points: number
  okPoints: number
  docComplete: boolean
  ncrOpen: number
  /** How many things that are due it lacks; null where nobody compared. */
  missing?: number | null
  rule?: string
  bizCount: Done
  items: { main: Passed; general: Passed }
  mbsCount: number
}

export interface QbsNode {
  id: string
  parentId: string
  title: string
  code: string
  level: number
  leaf: boolean
  nodeType?: string
  /** Missing where the person does not see it. */
  status?: NodeStatus
  children?: QbsNode[]
}

export interface SheetBinding {
  id: string
  jbsId?: string
  schemaCode: string
  sheetCode?: string
  workflowCode?: string
  title: string
  bizKind: string
  required: boolean
  multi: boolean
  instances: number
  bizObjectId?: string
  status: string
  /** The caller may begin a record of it; missing where a call does not say. */
  mayFill?: boolean
  /** Of the parts of a node. */
  qbsId?: string
  qbsCode?: string
  qbsName?: string
}

export interface Process {
  id: string
  qbsId: string
  parentId?: string
  code: string
  name: string
  status: string
  prevIds: string[] | null
  required: boolean
  bizCount: Done
  biz: SheetBinding[]
  /** The process of the library that it is a copy of, and of which revision. */
  baseId?: string
  baseVersion?: number
}

export interface Authority {
  canAdd: boolean
  canEdit: boolean
  canDelete: boolean
  canBind: boolean
  /** Corrective actions may be closed. */
  canReview: boolean
  canImport: boolean
  /** The kinds of inspections that the caller records at the node. */
  kinds?: string[]
  /** Of a node whose latest round failed. */
  concession?: Concession
}

/** Who signs that what failed is accepted all the same; people are ids. */
export interface Concession {
  parties: { role: 'R_CSUP' | 'R_DESIGN' | 'R_OWNER'; by: string[] }[]
  /** The caller may sign, and has not. */
  canSign: boolean
  /** The caller has signed. */
  signed: boolean
}

export interface LogEntry {
  id: string
  action: string
  userName: string
  time: string
  before: string
  after: string
  remark: string
  objectType: string
}

export type Ask = { signal: AbortSignal }

/** What the pack's pages read lies below this key: a change of anything reads it again. */
export const QUALITY = 'quality'

const V2 = '/api/quality/v2'

export const childrenOf = (projectKey: string, parentId: string, { signal }: Ask) =>
  packGet<QbsNode[]>(`${V2}/qbs/treeList`, { projectKey, withStatus: true, ...(parentId ? { parentId } : {}) }, signal)

/** The parts of a node, one level down. */
export const packGetChildren = (parentId: string, { signal }: Ask) =>
  packGet<QbsNode[]>(`${V2}/qbs/treeList`, { parentId, withStatus: true }, signal)

export const nodesOfType = (projectKey: string, nodeType: string, parentId = '') => ({
  queryKey: [QUALITY, 'type', projectKey, nodeType, parentId] as const,
  queryFn: ({ signal }: Ask) =>
    packGet<QbsNode[]>(
      `${V2}/qbs/treeList`,
      { projectKey, nodeType, withStatus: true, ...(parentId ? { parentId } : {}) },
      signal,
    ),
})

export const authorityQuery = (qbsId: string) => ({
  queryKey: [QUALITY, 'authority', qbsId] as const,
  queryFn: ({ signal }: Ask) => packGet<Authority>(`${V2}/qbs/authority`, qbsId ? { qbsId } : {}, signal),
})

export const processesQuery = (qbsId: string) => ({
  queryKey: [QUALITY, 'processes', qbsId] as const,
  queryFn: ({ signal }: Ask) => packGet<Process[]>(`${V2}/jbs/node`, { qbsId }, signal),
})

/** The processes of some nodes with one call. */
export const processesOfQuery = (qbsIds: readonly string[]) => ({
  queryKey: [QUALITY, 'processesOf', qbsIds] as const,
  queryFn: ({ signal }: Ask) => packGet<Process[]>(`${V2}/jbs/node`, { qbsIds }, signal),
})

export const sheetsQuery = (qbsId: string) => ({
  queryKey: [QUALITY, 'sheets', qbsId] as const,
  queryFn: ({ signal }: Ask) =>
    packGet<SheetBinding[]>(`${V2}/bizsheet/bind`, { ownerType: 'QBS', ownerId: qbsId }, signal),
})

/** The sheets of a node and of all parts of it. */
export const sheetsBelowQuery = (qbsId: string) => ({
  queryKey: [QUALITY, 'sheetsBelow', qbsId] as const,
  queryFn: ({ signal }: Ask) =>
    packGet<SheetBinding[]>(`${V2}/bizsheet/bind`, { ownerType: 'QBS', ownerId: qbsId, includeChildren: true }, signal),
})

export const logQuery = (qbsId: string, page: number) => ({
  queryKey: [QUALITY, 'log', qbsId, page] as const,
  queryFn: ({ signal }: Ask) =>
    packGet<{ content: LogEntry[]; totalElements: number }>(`${V2}/qbs/log`, { qbsId, page, size: 20 }, signal),
})

/** A record with the plan of its form. */
export const recordQuery = (schemaCode: string, objectId: string) => ({
  queryKey: [QUALITY, 'record', schemaCode, objectId] as const,
  queryFn: ({ signal }: Ask) => get('/api/runtime/form/load', { schemaCode, objectId }, { signal }),
})

/** Somebody has changed a record since it was read. */
export const isStale = (error: unknown) => error instanceof ApiError && error.code === ERROR.VersionStale

interface Search {
  filters?: { propertyCode: string; propertyValue: string }[]
  ids?: string[]
  orderBy?: string
  /** The latest first. */
  down?: boolean
  size?: number
}

/** Rows of a model, as its list has them. */
export const rowsQuery = (schemaCode: string, { filters = [], ids, orderBy, down, size = 200 }: Search) => ({
  queryKey: [QUALITY, 'rows', schemaCode, filters, ids ?? null, orderBy ?? '', down ?? false, size] as const,
  queryFn: async ({ signal }: Ask): Promise<Row[]> => {
    const page = await post(
      '/api/runtime/query/list',
      {
        schemaCode,
        ...(ids ? { objectIds: ids } : { filters }),
        ...(orderBy ? { orderByFields: [orderBy], orderType: down ? 2 : 1 } : {}),
        page: 0,
        size,
      },
      { signal },
    )
    return page.content
  },
})

/** The contracts of a project that one may see. */
export const contractsQuery = (projectId: string) =>
  rowsQuery(codes.contract, { filters: [{ propertyCode: codes.projectId, propertyValue: projectId }] })

/** A cell of a row in words: of a choice its code, of a reference its name. */
export function cell(row: Row | undefined, code: string): string {
  const value = row?.data[code]
  if (value === null || value === undefined) return ''
  if (typeof value === 'object' && 'name' in value) return String((value as { name: unknown }).name ?? '')
  return String(value)
}

/** The id that a reference holds. */
export const refOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'id' in value ? String((value as { id: unknown }).id) : ''

/** The state of a node in a tree: why it is pending is said with it. */
function stateOf(evalStatus: string, missing: unknown) {
  const state = evalState(evalStatus)
  const count = Number(missing ?? 0)
  if (evalStatus !== 'PENDING' || count === 0) return state
  return { ...state, label: texts.text('due.stateMissing', { state: state.label, count }) }
}

export const itemOf = (node: QbsNode): TreeItem => ({
  id: node.id,
  parentId: node.parentId || null,
  title: node.title,
  code: node.code,
  leaf: node.leaf,
  // Who may not read the state of a node sees its name.
  ...(node.status?.evalStatus ? { state: stateOf(node.status.evalStatus, node.status.missing) } : {}),
  ...(node.status?.passRate ? { figure: shareOf(node.status.passRate) } : {}),
  data: node,
})

const itemOfRow = (row: Row): TreeItem => ({
  id: row.id,
  parentId: row.parentId ?? null,
  title: cell(row, codes.name),
  code: cell(row, codes.code),
  leaf: row.leaf ?? true,
  ...(row.data[codes.evalStatus] ? { state: stateOf(cell(row, codes.evalStatus), row.data[codes.missing]) } : {}),
  ...(row.data[codes.passRate] ? { figure: shareOf(cell(row, codes.passRate)) } : {}),
  match: row.match ?? true,
})

const rowsAbove = async (body: Record<string, unknown>, signal: AbortSignal) => {
  const page = await post(
    '/api/runtime/query/list',
    { schemaCode: codes.node, ancestors: true, page: 0, size: 200, ...body },
    { signal },
  )
  return { found: page.content.map(itemOfRow), above: (page.ancestors ?? []).map(itemOfRow) }
}

/** What a text finds of a project, with all that is above it. */
export async function searchNodes(project: string, keyword: string, { signal }: Ask): Promise<TreeItem[]> {
  const filters = [{ propertyCode: codes.projectId, propertyValue: project }]
  const { found, above } = await rowsAbove({ keyword, filters }, signal)
  return [...new Map([...above, ...found].map((one) => [one.id, one])).values()]
}

const whole = (row: Row, code: string) => Number(row.data[code] ?? 0)

/** A node is not there any more, or the caller may not see it. */
export class NoNode extends Error {}

/** A node with what its list shows of it, and the nodes above it, the highest first. */
export const nodeQuery = (id: string) => ({
  queryKey: [QUALITY, 'node', id] as const,
  queryFn: async ({ signal }: Ask): Promise<QbsNode & { above: TreeItem[] }> => {
    const page = await post(
      '/api/runtime/query/list',
      { schemaCode: codes.node, objectIds: [id], ancestors: true, page: 0, size: 1 },
      { signal },
    )
    const row = page.content[0]
    if (!row) throw new NoNode(texts.text('noNode'))
    const rows = (page.ancestors ?? []).map(itemOfRow)
    const above: TreeItem[] = []
    for (let at = row.parentId ?? null; at; at = above[0]?.parentId ?? null) {
      const next = rows.find((one) => one.id === at)
      if (!next) break
      above.unshift(next)
    }
    const nothing = { n: 0, ok: 0 }
    return {
      above,
      id,
      parentId: row.parentId ?? '',
      title: cell(row, codes.name),
      code: cell(row, codes.code),
      level: above.length + 1,
      leaf: row.leaf ?? true,
      nodeType: cell(row, codes.nodeType),
      ...(cell(row, codes.evalStatus) && {
        status: {
          evalStatus: cell(row, codes.evalStatus),
          workStatus: cell(row, codes.workStatus) || 'NOT_STARTED',
          passRate: cell(row, codes.passRate) || null,
          points: 0,
          okPoints: 0,
          docComplete: row.data[codes.docComplete] === true,
          ncrOpen: whole(row, codes.ncrOpen),
          missing: row.data[codes.missing] === null ? null : whole(row, codes.missing),
          bizCount: { total: whole(row, codes.sheetTotal), done: whole(row, codes.sheetDone) },
          items: { main: nothing, general: nothing },
          mbsCount: 0,
        },
      }),
    }
  },
})

/** All figures of a node. */
export const statusQuery = (id: string) => ({
  queryKey: [QUALITY, 'status', id] as const,
  queryFn: async ({ signal }: Ask) =>
    (await packGet<QbsNode[]>('/api/quality/check/evaluation/tree', { rootId: id, depth: 1 }, signal))[0]?.status ??
    null,
})

export const nodesAbove = async (id: string, { signal }: Ask) => (await rowsAbove({ objectIds: [id] }, signal)).above
