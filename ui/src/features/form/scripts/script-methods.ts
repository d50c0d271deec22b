import type { FormField } from '@/api/types'
import type { useMe } from '@/sdk/me'
import { scriptError } from '@/sdk/script/faults'
import type { Methods } from '@/sdk/script/host'
import { type Press, pressOf } from '@/sdk/script/press'
import { isPlainObject } from '@/sdk/script/protocol'
import { changes } from '../api'
import type { Values } from '../rules/values'
import { type Marks, marked, scriptRow, scriptValue } from './script-marks'
import type { ScriptedForm } from './use-form-script'

interface Reach {
  form: () => ScriptedForm
  me: () => ReturnType<typeof useMe>
  setMarks: (change: (old: Marks) => Marks) => void
  actions: ReadonlyMap<string, (press: Press) => unknown>
  /** Resolves when what was set is on the screen. */
  settled: () => Promise<void>
}

/** Reloads and changes of mode that a script may ask for in a minute: a hook that calls for itself would never end. */
const TURNS = 20

const refuse = (what: string): never => {
  throw scriptError('execution', what)
}

/** Rows as scripts see them: without the keys that tell them apart on the screen. */
const rowsOf = (value: unknown): Values[] =>
  Array.isArray(value) ? value.map(({ key: _, ...row }: Values) => row) : []

let made = 0

/** What a form's script may ask of its form. Fields of other roles are not there; nothing here reaches past the form. */
export function formMethods({ form, me, setMarks, actions, settled }: Reach): Methods {
  let turns: number[] = []
  const turn = (method: string) => {
    const now = Date.now()
    turns = [...turns.filter((at) => now - at < 60_000), now]
    if (turns.length > TURNS) refuse(`${method}: more than ${TURNS} times a minute`)
  }
  /** A field as far as this person has it: what a role does not see is empty, and stays hidden whatever is said of it. */
  const seen = (code: unknown): FormField | undefined =>
    form().load.form.fields.find((one) => one.propertyCode === code)
  const writable = (code: unknown): FormField => {
    const found = seen(code) ?? refuse(String(code).slice(0, 100))
    if (!form().editing || found.readOnly) refuse(`${found.propertyCode}: read only`)
    return found
  }
  const sheet = (code: unknown): FormField => {
    const found = writable(code)
    return found.children ? found : refuse(found.propertyCode)
  }
  const set = async (more: Values) => {
    const { record } = form()
    const next = { ...record.latest.current, ...more }
    record.change(next)
    await settled()
  }
  const rows = (code: unknown): Values[] => {
    const value = form().record.latest.current[seen(code)?.propertyCode ?? '']
    return Array.isArray(value) ? value : []
  }
  const place = (code: unknown, index: unknown): number =>
    Number.isSafeInteger(index) && (index as number) >= 0 && (index as number) < rows(code).length
      ? (index as number)
      : refuse(`${String(code)}: ${String(index)}`)
  const mark =
    (name: 'hidden' | 'required' | 'readonly', on: (value: unknown) => boolean) => async (args: unknown[]) => {
      const found = seen(args[0])
      if (!found) return
      setMarks((old) => marked(old, name, found.propertyCode, on(args[1])))
      await settled()
    }

  return {
    getRecord: () => {
      const { load, editing } = form()
      const { schemaCode, sheetCode } = load.form
      return { id: load.id, version: load.version, name: load.name, schemaCode, sheetCode, editing }
    },
    getUser: () => {
      const { id = '', username = '', name = '', departmentName = null } = me() ?? {}
      return { id, username, name, departmentName }
    },
    getValue: ([code]) => {
      const found = seen(code)
      const value = form().record.latest.current[found?.propertyCode ?? '']
      return found?.children ? rowsOf(value) : (value ?? null)
    },
    getValues: () => {
      const { load, record } = form()
      return Object.fromEntries(
        load.form.fields.map(({ propertyCode, children }) => {
          const value = record.latest.current[propertyCode]
          return [propertyCode, children ? rowsOf(value) : (value ?? null)]
        }),
      )
    },
    setValue: ([code, value]) =>
      set({ [writable(code).propertyCode]: scriptValue(form().load, writable(code), value) }),
    setValues: ([values]) => {
      const given = isPlainObject(values) ? values : refuse('setValues')
      return set(
        Object.fromEntries(
          Object.entries(given).map(([code, value]) => [
            writable(code).propertyCode,
            scriptValue(form().load, writable(code), value),
          ]),
        ),
      )
    },
    setVisible: mark('hidden', (visible) => visible !== true),
    setRequired: mark('required', (required) => required === true),
    setReadonly: mark('readonly', (readonly) => readonly === true),
    getRows: ([code]) => rowsOf(rows(code)),
    addRow: async ([code, row]) => {
      const found = sheet(code)
      made += 1
      const begun = form().record.newRow(found.children ?? [])
      const added = { ...begun, ...scriptRow(found, row ?? {}), key: `script-${made}` }
      await set({ [found.propertyCode]: [...rows(code), added] })
      return rows(code).length - 1
    },
    setRow: ([code, index, row]) => {
      const found = sheet(code)
      const at = place(code, index)
      const values = scriptRow(found, row)
      return set({ [found.propertyCode]: rows(code).map((old, i) => (i === at ? { ...old, ...values } : old)) })
    },
    removeRow: ([code, index]) => {
      const found = sheet(code)
      const at = place(code, index)
      return set({ [found.propertyCode]: rows(code).filter((_, i) => i !== at) })
    },
    callAction: async ([action], from) => {
      const run = typeof action === 'string' ? actions.get(action) : undefined
      if (!run) throw scriptError('actionRequired', typeof action === 'string' ? action : '')
      await run(pressOf(from, 'callAction'))
    },
    edit: () => {
      turn('edit')
      if (changes(form().load)) form().edit()
      else refuse('edit')
    },
    refresh: () => {
      turn('refresh')
      form().refresh()
    },
    close: () => form().close(),
  }
}
