import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import type { FormLoad } from '@/api/types'
import type { RowErrors } from '@/sdk/errors'
import { useTextContext } from '@/sdk/system'
import { recordQuery, saveRecord } from './api'
import { applyRules } from './rules'
import { formScope } from './scope'
import { changesOf, type Values, withoutEmpty } from './values'

interface ServerFault {
  propertyCode: string
  row?: string
  errcode: number
  errmsg: string
}

/** Another version of the record: the server's values now, and the fields that differ from the one that was opened. */
export interface Conflict {
  current: FormLoad['data']
  changed: string[]
  version: number
}

const stale = 302002
const invalid = 302001
const newToken = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('')

function useFaults() {
  const [faults, setFaults] = useState<ServerFault[]>([])
  const extraErrors = useMemo(() => {
    const out: Record<string, { __errors: string[] }> = {}
    for (const fault of faults) {
      const code = fault.propertyCode.split('.')[0] ?? ''
      out[code] = { __errors: [...(out[code]?.__errors ?? []), fault.errmsg] }
    }
    return out
  }, [faults])
  const rowErrors: RowErrors = useCallback(
    (path, row) =>
      faults.find((fault) => fault.propertyCode === path && (fault.row === row.id || fault.row === `#${row.index + 1}`))
        ?.errmsg ?? null,
    [faults],
  )
  return { faults, setFaults, extraErrors, rowErrors }
}

/** Everything of an open record besides its looks: values, rules, what changed, saving, faults and conflicts. */
export function useRecord(load: FormLoad, onSaved: (id: string, added: boolean) => void) {
  const client = useQueryClient()
  const context = useTextContext()
  const base = useMemo(() => withoutEmpty(load.data), [load])
  const [values, setValues] = useState<Values>(base)
  const [version, setVersion] = useState(load.version)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const { faults, setFaults, extraErrors, rowErrors } = useFaults()
  const token = useRef(newToken())
  const fields = load.form.fields
  const rules = useMemo(() => applyRules(fields, values, formScope(context)), [fields, values, context])
  const shown = useMemo(() => withoutEmpty({ ...values, ...rules.computed }), [values, rules])
  const latest = useRef(shown)
  latest.current = shown
  const start = load.id === null ? {} : base
  const changes = useMemo(() => changesOf(start, values, fields), [start, values, fields])
  const dirty = useMemo(() => Object.keys(changesOf(base, values, fields)).length > 0, [base, values, fields])

  const change = useCallback(
    (next: Values) => {
      token.current = newToken()
      setValues((old) => {
        setFaults((list) =>
          list.filter(
            (fault) => old[fault.propertyCode.split('.')[0] ?? ''] === next[fault.propertyCode.split('.')[0] ?? ''],
          ),
        )
        return next
      })
    },
    [setFaults],
  )

  const saving = useMutation({
    mutationFn: (over?: number) =>
      saveRecord(
        {
          schemaCode: load.form.schemaCode,
          sheetCode: load.form.sheetCode,
          ...(load.id === null ? {} : { id: load.id, version: over ?? version ?? 0 }),
          data: changes,
        },
        token.current,
      ),
    onSuccess: async (saved) => {
      setFaults([])
      setConflict(null)
      setVersion(saved.version)
      await client.invalidateQueries({
        queryKey: recordQuery({ schemaCode: load.form.schemaCode, objectId: saved.id }).queryKey.slice(0, 2),
      })
      onSaved(saved.id, load.id === null)
    },
    onError: (error) => {
      token.current = newToken()
      if (!(error instanceof ApiError)) return
      if (error.code === invalid) setFaults((error.data as { errors: ServerFault[] }).errors)
      if (error.code === stale) {
        const { current, changed } = error.data as { current: Values; changed: string[] }
        setConflict({ current, changed, version: Number(current.version) })
      }
    },
  })

  return {
    values: shown,
    change,
    reset: () => change(base),
    /** Takes the server's values; the user's own edits are gone. */
    takeTheirs: () => {
      if (!conflict) return
      setValues(withoutEmpty({ ...base, ...conflict.current }))
      setVersion(conflict.version)
      setConflict(null)
      void client.invalidateQueries({ queryKey: ['record', load.form.schemaCode] })
    },
    overwrite: () => conflict && saving.mutate(conflict.version),
    dismissConflict: () => setConflict(null),
    latest,
    rules,
    dirty,
    saving,
    faults,
    extraErrors,
    rowErrors,
    conflict,
  }
}

export type RecordController = ReturnType<typeof useRecord>
