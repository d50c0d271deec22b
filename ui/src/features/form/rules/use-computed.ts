import { useEffect, useMemo, useRef, useState } from 'react'
import { post } from '@/api/client'
import type { FormField, FormLoad } from '@/api/types'
import { farReads } from './rules'
import type { Operands } from './scope'
import { changesOf, type Values } from './values'

/** Typing that pauses this long is worth a question to the server. */
const PAUSE = 300

/** What the server computed of the form: values by code, and of sub-tables row by row. */
export interface ServerComputed {
  values: Values
  rows: Record<string, Values[]>
  /** What rules ask of related records, by path; null before the server has told. */
  operands: Operands
}

const none: ServerComputed = { values: {}, rows: {}, operands: null }

/** The fields of this form on which formulas and rules depend that read other records. */
function dependencies(fields: FormField[], far: string[]) {
  const asked = fields.flatMap((field) => [field, ...(field.children ?? [])]).filter((field) => field.computeReads)
  if (asked.length + far.length === 0) return null
  return [...new Set([...far, ...asked.flatMap((field) => field.computeReads ?? [])])].sort()
}

/** Values with what the server computed; rows that it has not seen yet stay as they are. */
export function withComputed(values: Values, { values: more, rows }: Omit<ServerComputed, 'operands'>): Values {
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
 * Values that only the server can compute, for the form as it is: asked for when what they depend on has changed. The server
 * computes them once more when it saves.
 */
export function useComputed(load: FormLoad, base: Values, values: Values): ServerComputed {
  const { fields, layout, schemaCode, sheetCode } = load.form
  const far = useMemo(() => farReads(fields, layout), [fields, layout])
  const reads = useMemo(() => dependencies(fields, far), [fields, far])
  const state = reads ? JSON.stringify(reads.map((code) => values[code] ?? null)) : ''
  const [computed, setComputed] = useState(none)
  const latest = useRef({ base, values })
  latest.current = { base, values }
  // What is computed a stored record has; what rules ask of related ones nobody knows yet, and people wait for it.
  const first = useRef(far.length > 0)
  const settled = useRef(load.id === null || far.length > 0 ? null : state)
  useEffect(() => {
    if (!reads || settled.current === state) return
    const leave = new AbortController()
    const timer = setTimeout(
      () => {
        const { base, values } = latest.current
        const at = load.id === null ? {} : { id: load.id }
        const data = changesOf(load.id === null ? {} : base, values, fields)
        post('/api/runtime/form/compute', { schemaCode, sheetCode, ...at, data }, { signal: leave.signal }).then(
          (answer) => {
            settled.current = state
            setComputed(answer as ServerComputed)
          },
          // The save computes them, and says what is wrong; what nobody can decide is shown meanwhile.
          () => leave.signal.aborted || setComputed((old) => ({ ...old, operands: old.operands ?? {} })),
        )
      },
      first.current ? 0 : PAUSE,
    )
    first.current = false
    return () => {
      clearTimeout(timer)
      leave.abort()
    }
  }, [reads, state, load.id, fields, schemaCode, sheetCode])
  return computed
}
