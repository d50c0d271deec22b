import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { FormLoad } from '@/api/types'
import { useMe } from '@/sdk/me'
import { scriptError } from '@/sdk/script/faults'
import { newPress, type Press } from '@/sdk/script/press'
import { usePageScript } from '@/sdk/script/use-page-script'
import { useText } from '@/sdk/use-text'
import type { RecordController } from '../record/use-record'
import { type Marks, noMarks, stillFaulty, withReadonly } from './script-marks'
import { formMethods } from './script-methods'

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
  pressed: (action: string, run: (press: Press) => unknown) => Promise<void>
  /** The same for saving, which onValidate may refuse with words at fields. */
  saved: (run: () => unknown) => Promise<void>
  /** The action of a press has run; without one given it is the last that was let through. */
  done: (action: string, result: unknown, press?: Press) => Promise<void>
  /** A button of the form's own was pressed. */
  custom: (action: string, press: Press) => Promise<void>
  /** What callAction may do about a press, by action; without hooks. The buttons fill it. */
  actions: Map<string, (press: Press) => unknown>
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
  // Anyone who changes a field, a person, the script or a formula: what was said of its old value is over.
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
  const actions = useRef(new Map<string, (press: Press) => unknown>()).current
  /** The script itself saves about a press: its hooks do not run for it. */
  const quiet = useRef<Press | null>(null)
  /** The press about which something is being done. */
  const saver = useRef<Press | undefined>(undefined)
  const live = useRef({ form, me })
  live.current = { form, me }

  const methods = useMemo(
    () => formMethods({ form: () => live.current.form, me: () => live.current.me, setMarks, actions, settled }),
    [actions, settled],
  )
  actions.set('save', (press) => {
    if (!live.current.form.editing) throw scriptError('actionRequired', 'save')
    quiet.current = press
    live.current.form.save()
    quiet.current = null
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
    const allowed = async (action: string, press: Press) =>
      (await run('onPreAction', { action, ...event() }, press)) !== false
    return {
      pressed: async (action: string, go: (press: Press) => unknown) => {
        const press = newPress()
        if (view) {
          if (!(await held(() => allowed(action, press)))) return
          await settled()
        }
        saver.current = press
        await go(press)
      },
      saved: async (go: () => unknown) => {
        const press = quiet.current ?? newPress()
        if (!view || quiet.current) {
          saver.current = press
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
          return allowed('save', press)
        })
        if (!agreed) return
        await settled()
        saver.current = press
        await go()
      },
      done: async (action: string, result: unknown, press: Press | undefined = saver.current) => {
        saver.current = undefined
        if (view) await held(() => run('onActionDone', { action, ...event(), result: plain(result) }, press))
      },
      custom: async (action: string, press: Press) => {
        if (!view) throw scriptError('scriptInvalid', t('script.noScript'))
        await held(() => run('onCustomAction', { action, ...event() }, press))
      },
    }
  }, [view, run, event, held, settled, t])

  const scripted = useMarked(record, marks, setMarks)
  const narrowed = useMemo(() => withReadonly(load, marks.readonly), [load, marks.readonly])
  return { load: narrowed, record: scripted, busy: waits > 0, actions, ...own }
}
