import { dependsOnValues, type Entry, type FormField, get, post, resolveProperty, type TextContext } from '@sluice/sdk'
import type { Target } from './paste'

interface Place {
  schemaCode: string
  sheet: string
  sheetCode: string
  objectId?: string | undefined
  /** The form's values now. */
  values: () => Record<string, unknown>
}

/** So many choices are looked at for a word; a name that so many others begin with is none. */
const CHOICES = 30

/** So many questions at a time. */
const AT_ONCE = 6

/** Runs tasks, some at a time, in their order. */
function queue() {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= AT_ONCE) await new Promise<void>((go) => waiting.push(go))
    running++
    try {
      return await task()
    } finally {
      running--
      waiting.shift()?.()
    }
  }
}

/** What texts of a column mean, asked of the server that reads imports. */
function reader(column: FormField, row: Record<string, unknown>, place: Place, run: ReturnType<typeof queue>) {
  const { schemaCode, sheetCode, objectId } = place
  const form = dependsOnValues(column, () => ({ ...place.values(), ...row })) ?? {}
  const asked = { schemaCode, propertyCode: `${place.sheet}.${column.propertyCode}`, sheetCode, form, meant: true }
  return async (text: string): Promise<Entry[]> => {
    const given = { ...asked, ...(objectId ? { objectId } : {}), keyword: text.trim() }
    return (await run(() => post('/api/runtime/form/options', given))).content
  }
}

/** The choices of a column for a word, asked as its picker asks. */
function finder(column: FormField, row: Record<string, unknown>, place: Place, run: ReturnType<typeof queue>) {
  const propertyCode = `${place.sheet}.${column.propertyCode}`
  const { schemaCode, sheetCode, objectId } = place
  return async (word: string, kind?: 'user' | 'department'): Promise<Entry[]> => {
    const keyword = word.slice(0, 100)
    const form = dependsOnValues(column, () => ({ ...place.values(), ...row }))
    const asked = { schemaCode, propertyCode, keyword, page: 0, size: CHOICES }
    const { content } = await run(() =>
      form
        ? post('/api/runtime/form/options', { ...asked, sheetCode, ...(objectId ? { objectId } : {}), form })
        : get('/api/runtime/form/options', { ...asked, ...(kind ? { kind } : {}) }),
    )
    return content
  }
}

export interface Read extends Target {
  /** null for an empty text; { unread } when no value was found in it. */
  value: unknown
}

/** What texts say in their columns. Equal texts of a column are looked up once. */
export async function readTexts(
  targets: Target[],
  columns: FormField[],
  rowAt: (row: number) => Record<string, unknown>,
  place: Place,
  context: TextContext,
): Promise<Read[]> {
  const known = new Map<string, Promise<unknown>>()
  const run = queue()
  const meant = async (column: FormField, row: Record<string, unknown>, text: string): Promise<unknown> => {
    const parse = resolveProperty(column.propertyType).parseText
    try {
      const value = await parse?.(text, column, {
        ...context,
        find: finder(column, row, place, run),
        meant: reader(column, row, place, run),
      })
      return value === undefined ? { unread: text } : value
    } catch {
      return { unread: text } // the server did not answer: it can be pasted again
    }
  }
  return Promise.all(
    targets.map(async (target) => {
      const column = columns[target.column] as FormField
      if (target.text.trim() === '') return { ...target, value: null }
      const row = rowAt(target.row)
      const depends = dependsOnValues(column, () => ({ ...place.values(), ...row }))
      const key = `${target.column}\n${depends ? JSON.stringify(depends) : ''}\n${target.text}`
      const value = known.get(key) ?? meant(column, row, target.text)
      known.set(key, value)
      return { ...target, value: await value }
    }),
  )
}
