import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import type { FormField, FormLoad } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { askQuery } from '@/lib/ask-query'
import { localName } from '@/lib/local-name'
import { newToken } from '@/lib/token'
import type { RowErrors } from '@/sdk/errors'
import { useFeedback } from '@/sdk/feedback'
import { useTextContext } from '@/sdk/system'
import type { UnsavedField } from '@/sdk/unsaved-forms'
import { useText } from '@/sdk/use-text'
import { recordQuery, type Save, saveRecord } from '../api'
import { compareSides, firstChoices, merge, undecided } from '../merge/merge'
import { withoutOrphans } from '../rules/dependents'
import { rowDefaults } from '../rules/row-defaults'
import { makeRules } from '../rules/rules'
import { formScope } from '../rules/scope'
import { useComputed, withComputed } from '../rules/use-computed'
import { makeValueStore } from '../rules/value-store'
import { changesOf, type Values, withoutEmpty, withoutRowIds } from '../rules/values'
import { isRow, ofResult, placeOf, type ServerFault, sheetOf, stays, withRowKey } from '../submit/faults'

/** Two states of a record that have to become one: the one in the form, and what the record says now. */
export interface Conflict {
  /** "save": somebody saved first. "restore": input that waited meets a record that has changed since. */
  purpose: 'save' | 'restore'
  base: Values
  mine: Values
  theirs: FormLoad
  /** The record changed once more while the choice was being made. */
  again: boolean
}

/** What a save sends, and what it was made from. */
interface Attempt {
  base: Values
  values: Values
  version: number | null
  merged: boolean
  /** The record is gone: what is in the form becomes one of its own. */
  asNew?: boolean
}

const stale = ERROR.VersionStale
const invalid = ERROR.RecordInvalid
/** How many faults of a sub-table are said below it; the others are marked in their cells. */
const SAID = 3

function useFaults(fields: FormField[], values: () => Values) {
  const t = useText()
  const locale = useLocale()
  const [faults, setFaults] = useState<ServerFault[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the numbers of rows are those of the answer
  const extraErrors = useMemo(() => {
    const out: Record<string, { __errors: string[] }> = {}
    for (const fault of faults) {
      const place = placeOf(fault, values(), fields)
      const row = place?.row
      const column = place?.column && localName(place.column, locale)
      const message = fault.errmsg
      const said = !row
        ? message
        : column
          ? t('sheet.inRow', { row, column, message })
          : t('sheet.rowOnly', { row, message })
      const code = sheetOf(fault)
      out[code] = { __errors: [...(out[code]?.__errors ?? []), said] }
    }
    for (const all of Object.values(out)) {
      const more = all.__errors.length - SAID
      if (more > 0) all.__errors = [...all.__errors.slice(0, SAID), t('sheet.moreFaults', { count: more })]
      all.__errors = [all.__errors.join(t('sheet.joint'))]
    }
    return out
  }, [faults, fields, t, locale])
  const rowErrors: RowErrors = useCallback(
    (path, row) => faults.find((fault) => fault.propertyCode === path && isRow(fault, row))?.errmsg ?? null,
    [faults],
  )
  return { faults, setFaults, extraErrors, rowErrors }
}

/** Everything of an open record besides its looks: values, rules, what changed, saving, faults and conflicts. */
export function useRecord(
  load: FormLoad,
  onSaved: (id: string, added: boolean) => void,
  save: (body: Save, key: string) => Promise<{ id: string; version: number }> = saveRecord,
  /** Reads the record as it is now, where that is not done by its own form. */
  reload?: () => Promise<FormLoad>,
) {
  const client = useQueryClient()
  const context = useTextContext()
  /** The record that the form's values are compared with: as opened, or as it was when both sides were merged. */
  const [opened, setOpened] = useState<Pick<FormLoad, 'data' | 'version'>>(load)
  const base = useMemo(() => withoutEmpty(opened.data), [opened])
  const [values, setValues] = useState<Values>(base)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const token = useRef(newToken())
  /** Why what was approved is changed; the saves that follow say so. */
  const reason = useRef<string | undefined>(undefined)
  const fields = load.form.fields
  const ruling = useMemo(() => makeRules(fields), [fields])
  const server = useComputed(load, base, values)
  const known = useMemo(() => withComputed(values, server), [values, server])
  const { operands } = server
  const rules = useMemo(() => ruling(known, formScope(context, operands), operands), [ruling, known, context, operands])
  const shown = useMemo(() => withoutEmpty({ ...known, ...rules.computed }), [known, rules])
  const latest = useRef(shown)
  const [store] = useState(() => makeValueStore(shown))
  /** The state that was asked for last: an older one that is drawn meanwhile is told nobody. */
  const wanted = useRef(values)
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown follows values
  useLayoutEffect(() => {
    if (wanted.current !== values) return
    latest.current = shown
    store.publish(shown)
  }, [store, shown])
  const newRow = useCallback(
    (columns: FormField[]) => rowDefaults(columns, latest.current, formScope(context)),
    [context],
  )
  const { faults, setFaults, extraErrors, rowErrors } = useFaults(fields, store.all)
  /** How often the server refused what was to be saved. */
  const [refusals, setRefusals] = useState(0)
  const changes = useMemo(() => changesOf(base, values, fields), [base, values, fields])
  const dirty = Object.keys(changes).length > 0

  const t = useText()
  const locale = useLocale()
  const { warning } = useFeedback()
  const said = useRef<(cleared: FormField[]) => void>(() => {})
  said.current = (cleared) => {
    const names = cleared.map((field) => localName(field, locale)).join(t('picker.joint'))
    warning(t('form.orphans', { names }), 6)
  }
  const change = useCallback(
    (given: Values) => {
      token.current = newToken()
      const old = latest.current
      const { values: next, cleared } = withoutOrphans(fields, old, given)
      if (cleared.length > 0) said.current(cleared)
      latest.current = next
      wanted.current = next
      store.publish(next)
      setFaults((list) => {
        const left = list.filter((fault) => !ofResult(fault, fields) && stays(fault, old, next))
        return left.length === list.length ? list : left
      })
      setValues(next)
    },
    [fields, setFaults, store],
  )

  /** The record as it is now, beside what was to be saved. */
  const meet = async ({ base, values, merged }: Attempt, objectId: string) => {
    const { schemaCode, sheetCode } = load.form
    const theirs = await (reload?.() ?? askQuery(client, recordQuery({ schemaCode, sheetCode, objectId })))
    setConflict({ purpose: 'save', base, mine: values, theirs, again: merged })
  }

  const saving = useMutation({
    mutationFn: async (given?: Attempt) => {
      const attempt = given ?? { base, values, version: opened.version, merged: false }
      const { schemaCode, sheetCode } = load.form
      const isNew = load.id === null || attempt.asNew === true
      const sent = attempt.asNew ? withoutRowIds(attempt.values, fields) : attempt.values
      const data = changesOf(isNew ? {} : attempt.base, sent, fields)
      const key = load.id === null || isNew ? {} : { id: load.id, version: attempt.version ?? 0 }
      try {
        const amend = reason.current ? { amend: reason.current } : {}
        return await save({ schemaCode, sheetCode, ...key, data, ...amend }, token.current)
      } catch (error) {
        if (load.id !== null && error instanceof ApiError && error.code === stale) await meet(attempt, load.id)
        throw error
      }
    },
    onSuccess: async (saved, given) => {
      reason.current = undefined
      setFaults([])
      setConflict(null)
      setOpened({ data: given?.values ?? values, version: saved.version })
      await client.invalidateQueries({
        queryKey: recordQuery({ schemaCode: load.form.schemaCode, objectId: saved.id }).queryKey.slice(0, 2),
      })
      onSaved(saved.id, load.id === null || given?.asNew === true)
    },
    onError: (error) => {
      token.current = newToken()
      if (error instanceof ApiError && error.code === stale) return
      setConflict(null) // what is in the way of a merged record is said in the form
      if (!(error instanceof ApiError) || error.code !== invalid) return
      setFaults((error.data as { errors: ServerFault[] }).errors.map((fault) => withRowKey(fault, latest.current)))
      setRefusals((n) => n + 1)
    },
  })

  /** Ends a conflict with one state; that of a save is saved at once, on the version it was made with. */
  const settle = (merged: Values) => {
    if (!conflict) return
    const { purpose, theirs } = conflict
    change(merged)
    if (purpose === 'restore') return setConflict(null)
    setOpened(theirs)
    saving.mutate({ base: withoutEmpty(theirs.data), values: merged, version: theirs.version, merged: true })
  }

  /**
   * Fills in what waited. What is in the form already stays; where somebody else was there too, people choose first: false.
   */
  const restore = (waiting: Record<string, UnsavedField>) => {
    const more = Object.entries(waiting).filter(([code]) => !(code in changes))
    const before = { ...base, ...Object.fromEntries(more.map(([code, field]) => [code, field.base])) }
    const mine = { ...values, ...Object.fromEntries(more.map(([code, field]) => [code, field.mine])) }
    const list = compareSides(fields, before, mine, base)
    const choices = firstChoices(list)
    const asked = undecided(list, choices).length > 0
    if (asked) setConflict({ purpose: 'restore', base: before, mine, theirs: { ...load, ...opened }, again: false })
    else change(merge(list, choices, base))
    return !asked
  }

  /** What the rules of the form make of values that are not in it: merged ones. */
  const compute = useCallback(
    (of: Values) => ({ ...of, ...makeRules(fields)(of, formScope(context, operands), operands).computed }),
    [fields, context, operands],
  )

  return {
    values: shown,
    compute,
    change,
    reset: () => {
      setFaults([])
      change(base)
    },
    settle,
    restore,
    saveAsNew: () => saving.mutate({ base, values, version: null, merged: false, asNew: true }),
    dismissConflict: () => setConflict(null),
    latest,
    store,
    newRow,
    rules,
    operands,
    base,
    version: opened.version,
    changes,
    dirty,
    saving,
    faults,
    refusals,
    extraErrors,
    rowErrors,
    conflict,
    /** Says why what was approved is changed, for the save that follows. */
    because: (why: string) => {
      reason.current = why
    },
  }
}

export type RecordController = ReturnType<typeof useRecord>
