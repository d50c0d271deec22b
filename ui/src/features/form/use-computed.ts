import { useEffect, useMemo, useRef, useState } from 'react'
import { post } from '@/api/client'
import type { FormField, FormLoad } from '@/api/types'
import { changesOf, type Values } from './values'

/** Typing that pauses this long is worth a question to the server. */
const PAUSE = 300

/** What the server computed of the form: values by code, and of sub-tables row by row. */
export interface ServerComputed {
  values: Values
  rows: Record<string, Values[]>
}

const none: ServerComputed = { values: {}, rows: {} }

/** Fields whose formulas read other records, and the fields of this form on which they depend. */
function dependencies(fields: FormField[]) {
  const asked = fields.flatMap((field) => [field, ...(field.children ?? [])]).filter((field) => field.computeReads)
  return asked.length === 0 ? null : [...new Set(asked.flatMap((field) => field.computeReads ?? []))].sort()
}

/** Values with what the server computed; rows that it has not seen yet stay as they are. */
export function withComputed(values: Values, { values: more, rows }: ServerComputed): Values {
  if (Object.keys(more).length === 0 && Object.keys(rows).length === 0) return values
  const out = { ...values, ...more }
  for (const [code, computed] of Object.entries(rows)) {
    const given = values[code]
    if (!Array.isArray(given) || given.length !== computed.length) continue
    out[code] = given.map((row, i) => {
      const more = computed[i] ?? {}
      const news = Object.keys(more).some((key) => (row[key] ?? null) !== (more[key] ?? null))
      return news ? { ...row, ...more } : row
    })
  }
  return out
}

/**
 * Values that only the server can compute, for the form as it stands: asked for when what they depend on has changed. The server
 * computes them once more when it saves.
 */
export function useComputed(load: FormLoad, base: Values, values: Values): ServerComputed {
  const { fields, schemaCode, sheetCode } = load.form
  const reads = useMemo(() => dependencies(fields), [fields])
  const state = reads ? JSON.stringify(reads.map((code) => values[code] ?? null)) : ''
  const [computed, setComputed] = useState(none)
  const latest = useRef({ base, values })
  latest.current = { base, values }
  const settled = useRef(load.id === null ? null : state)
  useEffect(() => {
    if (!reads || settled.current === state) return
    const leave = new AbortController()
    const timer = setTimeout(() => {
      const { base, values } = latest.current
      const at = load.id === null ? {} : { id: load.id }
      const data = changesOf(load.id === null ? {} : base, values, fields)
      post('/api/runtime/form/compute', { schemaCode, sheetCode, ...at, data }, { signal: leave.signal }).then(
        (answer) => {
          settled.current = state
          setComputed(answer as ServerComputed)
        },
        () => {}, // the save computes them, and says what is wrong
      )
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      leave.abort()
    }
  }, [reads, state, load.id, fields, schemaCode, sheetCode])
  return computed
}
