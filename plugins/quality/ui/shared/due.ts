import { packGet } from '@sluice/sdk'
import { texts } from '../texts'
import { type Ask, type Process, QUALITY, type SheetBinding } from './api'

/** One thing that is due and not given; key is the id of an item or process, a kind of record, the model of a sheet or the code of a hold point. */
export interface Missing {
  what: 'SET' | 'ITEM' | 'KIND' | 'SHARE' | 'SHEET' | 'CONSENT' | 'ORDER'
  key?: string
  name?: string
  itemClass?: string
  kind?: string
  workflow?: string
  roles?: string[]
  /** The item was judged, by a design value that the contractor alone gives. */
  claimed?: boolean
  /** The order of work is broken by a due sheet, whose model is the key, and not by a process. */
  sheet?: boolean
  have: number
  need: number
}

export interface DueItem {
  itemId: string
  name: string
  itemClass: string
  evalMethod: string
  recordKind: string
  unit: string
  tolerance: string
  devLow: string | null
  devHigh: string | null
  limitLow: string | null
  limitHigh: string | null
  designValue: string | null
  minPoints: number
  differs: boolean
  /** OK, NOT_OK or NA by kind of record. */
  judged: Record<string, string>
}

export interface DueKind {
  recordKind: string
  judges: string
  share: string | null
  workflowCode: string
  have: number
  need: number
  differs: boolean
}

export interface DueSheet {
  schemaCode: string
  title: string
  bizKind: string
  workflowCode: string
  done: boolean
  differs: boolean
  /** The caller may add records of the model, and send them for the approval that is due. */
  mayBegin: boolean
}

export interface DueConsent {
  code: string
  title: string
  roles: string[]
  processCode: string
  id: string
  by: string
  /** Empty where it is not released. */
  time: string
  mayRelease: boolean
}

export interface DueChange {
  id: string
  sequenceNo: string
  what: string
  effect: string
  name: string
  reason: string
  by: string
  time: string
  above: boolean
}

export interface DueSet {
  id: string
  code: string
  title: string
  revision: number
  current: number
  inherited: boolean
  /** How many items the library describes otherwise; null where the caller cannot edit the set. */
  outdated: number | null
}

export interface DueList {
  set: DueSet | null
  items: DueItem[]
  kinds: DueKind[]
  sheets: DueSheet[]
  consents: DueConsent[]
  changes: DueChange[]
  missing: Missing[]
  signed: boolean
  may: { set: boolean; change: boolean; consent: boolean; deviate: boolean }
}

/** What is due of a node, what it has of it, and what is missing. */
export const dueQuery = (qbsId: string) => ({
  queryKey: [QUALITY, 'due', qbsId] as const,
  queryFn: ({ signal }: Ask) => packGet<DueList>('/api/quality/v2/qbs/due', { qbsId }, signal),
})

const KINDS: readonly string[] = ['SELF', 'SUP', 'TEST']

/** A kind of record in words. */
export const kindText = (kind: string) => (KINDS.includes(kind) ? texts.text(`bizKind.${kind}` as never) : kind)

const ROLES: readonly string[] = ['R_OWNER', 'R_CSUP', 'R_SUP', 'R_CPM', 'R_CQC', 'R_LAB', 'R_DESIGN']

/** Who has one of some roles, in words: each of them alone may. */
export const rolesText = (roles: readonly string[]) =>
  roles
    .map((role) => (ROLES.includes(role) ? texts.text(`due.role.${role}` as never) : role))
    .join(texts.text('due.or'))

/** What is missing, by name. */
export function missingText({ what, key = '', name, kind = '', have, need }: Missing): string {
  return texts.text(`due.lacks.${what}`, { name: name || key, kind: kindText(kind), have, need })
}

/** The same of all, as one line. */
export const missingLine = (missing: readonly Missing[]) => missing.map(missingText).join(texts.text('comma'))

/**
 * The sheet in which something that is missing is filled in; null where none is bound to the node. A test and a check of the supervisor that are due as
 * records of their own are never written into the contractor's sheet, which asks for the contractor's roles and its workflow.
 */
export function sheetFor(
  { what, key, kind }: Missing,
  recordModel: string,
  processes: readonly Process[],
  own: readonly SheetBinding[],
  kinds: readonly DueKind[] = [],
): SheetBinding | null {
  const all = [...processes.flatMap(({ biz }) => biz), ...own.filter(({ jbsId }) => !jbsId)]
  if (what === 'SHEET') return all.find((one) => one.schemaCode === key && (!kind || one.bizKind === kind)) ?? null
  if (what !== 'ITEM' && what !== 'KIND') return null
  const records = all.filter(({ schemaCode }) => schemaCode === recordModel)
  const exact = records.find(({ bizKind }) => bizKind === kind)
  if (!exact && kind !== 'SELF' && kinds.some(({ recordKind }) => recordKind === kind)) return null
  // A sheet of another kind of inspection begins with that kind: it is the last to be taken.
  return exact ?? records.find(({ bizKind }) => bizKind !== 'SUP' && bizKind !== 'TEST') ?? records[0] ?? null
}
