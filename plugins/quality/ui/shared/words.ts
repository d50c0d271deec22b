import { texts } from '../texts'

interface State {
  label: string
  color: string | null
}

const EVAL: Record<string, string | null> = {
  NONE: null,
  PENDING: 'orange',
  QUALIFIED: 'green',
  EXCELLENT: 'cyan',
  UNQUALIFIED: 'red',
  REWORK: 'gold',
}
const WORK: Record<string, string | null> = { NOT_STARTED: null, DOING: 'blue', DONE: 'green' }
const PROCESS: Record<string, string | null> = { LOCKED: null, OPEN: 'cyan', DOING: 'blue', DONE: 'green' }
const SHEET: Record<string, string | null> = {
  NONE: null,
  DRAFT: 'orange',
  PROCESSING: 'blue',
  COMPLETED: 'green',
  CANCELED: 'red',
  OVERDUE: 'red',
}
const CONCLUSION: Record<string, string | null> = { OK: 'green', NOT_OK: 'red', INCOMPLETE: 'orange', NA: null }
const NCR: Record<string, string | null> = { OPEN: 'red', FIXED: 'gold', REVIEWED: 'green', REJECTED: 'red' }

const of = (kind: string, colors: Record<string, string | null>) => (code: string) => ({
  label: code in colors ? texts.text(`${kind}.${code}` as never) : code,
  color: colors[code] ?? null,
})

export const evalState: (code: string) => State = of('evalStatus', EVAL)
export const workState: (code: string) => State = of('workStatus', WORK)
export const processState: (code: string) => State = of('processStatus', PROCESS)
export const sheetState: (code: string) => State = of('sheetStatus', SHEET)
export const conclusionState: (code: string) => State = of('conclusion', CONCLUSION)
export const ncrState: (code: string) => State = of('ncrStatus', NCR)

/** A share as people read it: 0.7777 is 77.8 %. */
export function shareOf(share: string | null | undefined): string {
  if (share === null || share === undefined || share === '') return ''
  const percent = Number(share) * 100
  const text = percent.toFixed(1)
  // A rate that is below a threshold does not read as if it reached it.
  return `${text === '100.0' && percent < 100 ? '99.9' : text.replace(/\.0$/, '')}%`
}

/** "29/31" of a total. What nobody counted or may see has no number: a zero would be one. */
export function outOf(ok: unknown, n: unknown): string {
  const total = Number(n ?? 0)
  return total === 0 || ok === null || ok === undefined || ok === ''
    ? '–'
    : texts.text('ofTotal', { ok: Number(ok), n: total })
}

export const LEVELS = ['PROJECT', 'SINGLE', 'UNIT', 'SUBUNIT', 'DIVISION', 'SUBDIVISION', 'ITEM', 'LOT'] as const

/** Whether a level is above another one; nothing is above all. */
export const isAbove = (nodeType: string | undefined, level: (typeof LEVELS)[number]) =>
  (LEVELS as readonly string[]).indexOf(nodeType ?? '') < LEVELS.indexOf(level)

/** Whether works can be made from the library below a node: down to divisional works. */
export const takesWorks = (node: { nodeType?: string } | null) => isAbove(node?.nodeType, 'ITEM')

/** The levels that a part of a node may have. */
export const levelsBelow = (nodeType: string | undefined) =>
  LEVELS.slice(nodeType ? LEVELS.indexOf(nodeType as (typeof LEVELS)[number]) + 1 : 0)

/** The level that a part of a node mostly has: sub-unit and sub-divisional works are the exception. */
export const usualBelow = (nodeType: string | undefined): string =>
  nodeType ? (levelsBelow(nodeType).find((one) => !one.startsWith('SUB')) ?? '') : 'UNIT'

/** The code that a new part gets which is given none, as the server numbers it. */
export function nextCode(parent: string | undefined, siblings: readonly string[]): string {
  for (let n = parent ? siblings.length + 1 : 1; ; n++) {
    const joint = /[-./_ ](?=[^-./_ ]*$)/.exec(parent ?? '')?.[0] ?? '-'
    const code = `${parent ? parent + joint : ''}${joint === '.' ? n : String(n).padStart(2, '0')}`
    if (!siblings.includes(code)) return code
  }
}
