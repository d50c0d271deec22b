import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { FormLoad } from '@/api/types'
import { useMe } from '@/sdk/me'
import { scriptError } from '@/sdk/script/faults'
import { usePageScript } from '@/sdk/script/use-page-script'
import { useText } from '@/sdk/use-text'
import { type Marks, noMarks, stillFaulty, withReadonly } from './script-marks'
import { formMethods } from './script-methods'
import type { RecordController } from './use-record'

export interface ScriptedForm {
  load: FormLoad
  record: RecordController
  editing: boolean
  edit: () => void
  /** Checks and saves, as the button does. */
  save: () => void
  refresh: () => void
  close: () => void
  /** Goes to the fields at fault. */
  onFaults: (codes: string[]) => void
}

export interface FormScript {
  /** The form as its script leaves it: without one, what was given. */
  load: FormLoad
  record: RecordController
  /** A hook is being waited for. */
  busy: boolean
  /** Runs what a button does, when the script's onPreAction lets it. */
  pressed: (action: string, run: () => unknown) => Promise<void>
  /** The same for saving, which onValidate may refuse with words at fields. */
  saved: (run: () => unknown) => Promise<void>
  /** The action has run. */
  done: (action: string, result: unknown) => Promise<void>
  /** A button of the form's own was pressed. */
  custom: (action: string) => Promise<void>
  /** What callAction may do, by action; without hooks. The buttons fill it. */
  actions: Map<string, () => unknown>
}

const plain = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)))

/** Waits until what was set is on the screen, and in what closures see. */
function useSettled() {
  const [, tick] = useState(0)
  const waiting = useRef<(() => void)[]>([])
  useEffect(() => {
    for (const go of waiting.current.splice(0)) go()
  })
  return useCallback(
    () =>
      new Promise<void>((resolve) => {
        waiting.current.push(resolve)
        tick((n) => n + 1)
      }),
    [],
  )
}

/** The record with what the script says of its fields. */
function useMarked(record: RecordController, marks: Marks, setMarks: (change: (old: Marks) => Marks) => void) {
  const { values } = record
  // Whoever changes a field, a person, the script or a formula: what was said of its old value is over.
  useEffect(() => setMarks((old) => stillFaulty(old, values)), [values, setMarks])
  return useMemo(() => {
    if (marks === noMarks) return record
    const { rules } = record
    const faults = Object.entries(marks.faults).map(([code, text]) => [code, { __errors: [text] }])
    return {
      ...record,
      rules: {
        ...rules,
        hidden: new Set([...rules.hidden, ...marks.hidden]),
        required: new Set([...rules.required, ...marks.required]),
      },
      extraErrors: { ...record.extraErrors, ...Object.fromEntries(faults) },
    }
  }, [record, marks])
}

/** The form's script: hooks around opening, checking, saving and buttons. The server's checks come after it, as always. */
export function useFormScript(form: ScriptedForm): FormScript {
  const t = useText()
  const me = useMe()
  const { load, record, editing } = form
  const [marks, setMarks] = useState(noMarks)
  const [waits, setWaits] = useState(0)
  const settled = useSettled()
  const actions = useRef(new Map<string, () => unknown>()).current
  /** The script itself saves: its hooks do not run for it. */
  const quiet = useRef(false)
  const live = useRef({ form, me })
  live.current = { form, me }

  const methods = useMemo(
    () => formMethods({ form: () => live.current.form, me: () => live.current.me, setMarks, actions, settled }),
    [actions, settled],
  )
  actions.set('save', () => {
    if (!live.current.form.editing) throw scriptError('actionRequired', 'save')
    quiet.current = true
    live.current.form.save()
    quiet.current = false
  })
  const { view, run } = usePageScript('form', load.form.sheetCode, load.form.script, methods)

  const event = useCallback(() => {
    const { load, record, editing } = live.current.form
    return {
      record: { id: load.id, version: load.version, name: load.name },
      editing,
      values: plain(record.latest.current),
    }
  }, [])
  const held = useCallback(async <T>(wait: () => Promise<T>): Promise<T> => {
    setWaits((n) => n + 1)
    try {
      return await wait()
    } finally {
      setWaits((n) => n - 1)
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: hooks run when the record is opened, and when its editing begins or ends
  useEffect(() => {
    if (!view) return
    let gone = false
    setMarks(noMarks)
    void (async () => {
      await run('onLoad', event())
      if (gone) return
      await settled()
      if (!gone) await run('onRendered', event())
    })()
    return () => {
      gone = true
    }
  }, [view, run, editing, load.id, load.version])

  const own = useMemo(() => {
    const allowed = async (action: string) => (await run('onPreAction', { action, ...event() })) !== false
    return {
      pressed: async (action: string, go: () => unknown) => {
        if (view) {
          if (!(await held(() => allowed(action)))) return
          await settled()
        }
        await go()
      },
      saved: async (go: () => unknown) => {
        if (!view || quiet.current) {
          await go()
          return
        }
        const agreed = await held(async () => {
          const looked = live.current.form.record.latest.current
          const faults = (await run('onValidate', event())) ?? {}
          setMarks((old) =>
            Object.keys(old.faults).length + Object.keys(faults).length
              ? stillFaulty({ ...old, faults, looked }, live.current.form.record.latest.current)
              : old,
          )
          if (Object.keys(faults).length > 0) {
            await settled()
            live.current.form.onFaults(Object.keys(faults))
            return false
          }
          return allowed('save')
        })
        if (!agreed) return
        await settled()
        await go()
      },
      done: async (action: string, result: unknown) => {
        if (view) await held(() => run('onActionDone', { action, ...event(), result: plain(result) }))
      },
      custom: async (action: string) => {
        if (!view) throw scriptError('scriptInvalid', t('script.noScript'))
        await held(() => run('onCustomAction', { action, ...event() }))
      },
    }
  }, [view, run, event, held, settled, t])

  const scripted = useMarked(record, marks, setMarks)
  const narrowed = useMemo(() => withReadonly(load, marks.readonly), [load, marks.readonly])
  return { load: narrowed, record: scripted, busy: waits > 0, actions, ...own }
}
