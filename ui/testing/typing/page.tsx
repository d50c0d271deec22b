// Real controls on a page of their own, for ui/e2e/typing.test.mjs: boxes, filters, a sub-table, and a form with its save. The server is
// a few answers in the page; what a form saves is in `window.saves`.
import 'antd/dist/reset.css'
import '@/components/base.css'
import '@/app/locales'
import { type RefObject, Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import type { FormField, FormLoad } from '@/api/types'
import { Providers } from '@/app/providers'
import { RecordForm, type Submit } from '@/features/form/record/record-form'
import { useRecord } from '@/features/form/record/use-record'
import { useSaveKey } from '@/features/form/submit/use-save-key'
import { loadAllTexts, startI18n } from '@/i18n/i18n'
import { formWidget, loadWidgets, propertyUI } from '@/registry/properties'
import { type FilterValue, isUnread } from '@/sdk/property'

const asked = new URLSearchParams(location.search)
const TYPES = {
  number: 2,
  date: 3,
  sheet: 8,
  time: 20,
  text: 0,
  note: 1,
  mixed: 5,
  files: 6,
  keeper: 50,
  crew: 51,
  unit: 60,
  units: 61,
}

/** By name: the type, and the display format of dates. */
const KINDS: Record<string, [type: number, format?: string]> = {
  date: [TYPES.date, 'yyyy-MM-dd'],
  month: [TYPES.date, 'yyyy-MM'],
  year: [TYPES.date, 'yyyy'],
  monthDay: [TYPES.date, 'MM-dd'],
  moment: [TYPES.date, 'yyyy-MM-dd HH:mm'],
  clock: [TYPES.date, 'HH:mm'],
  time: [TYPES.time, 'HH:mm:ss'],
  number: [TYPES.number],
  text: [TYPES.text],
}

const window_ = window as unknown as {
  values: Record<string, unknown>
  changes: Record<string, number>
  saves: unknown[]
  set: (name: string, value: unknown) => void
  flush: (work: () => void) => void
  ready: boolean
}
window_.values = {}
window_.changes = {}
window_.saves = []
const setters: Record<string, (value: unknown) => void> = {}
window_.set = (name, value) => setters[name]?.(value)
/** What the work says to the controls is drawn when it returns. */
window_.flush = flushSync

const party = (id: string, name: string, type: number, ...words: string[]) => ({
  words: [name, ...words],
  entry: { id, name, imgUrl: null, type, leaf: true, detail: null },
})
const PEOPLE = [party('u1', '王芳', 3, 'wangfang', 'wf'), party('u2', '李娜', 3, 'lina', 'ln')]
const UNITS = [party('d1', '质检部', 1, 'zhijianbu', 'zjb'), party('d2', '王家渡项目部', 1, 'wangjiadu', 'wjd')]

/** As the server finds them: departments for fields of departments and where they are asked for, else people. */
function choices(asked: URLSearchParams) {
  const units = asked.get('kind') === 'department' || /unit/.test(asked.get('propertyCode') ?? '')
  const word = asked.get('keyword') ?? ''
  const found = (units ? UNITS : PEOPLE).filter(({ words }) => words.some((one) => one.startsWith(word)))
  return { content: found.map(({ entry }) => entry), totalElements: found.length }
}

const answers: Record<string, (body: unknown, asked: URLSearchParams) => unknown> = {
  '/api/runtime/form/options': (_, asked) => choices(asked),
  '/api/system/config': () => ({ timezone: 'Asia/Shanghai' }),
  '/api/runtime/form/save': (body) => {
    window_.saves.push((body as { data: unknown }).data)
    return { id: 'r1', version: 2 }
  },
}
window.fetch = async (input, init) => {
  const { pathname, searchParams } = new URL(String(input), location.href)
  const data = answers[pathname]?.(init?.body ? JSON.parse(String(init.body)) : null, searchParams)
  return Response.json({ errcode: 0, errmsg: '', data: data ?? {} })
}

const fieldOf = (name: string, [propertyType, displayFormat]: [number, string?]): FormField =>
  ({ propertyCode: name, propertyType, displayFormat, name, name_i18n: {}, children: null }) as unknown as FormField

/** Those that are chosen from the organization, long texts and files. */
const CHOSEN = ['note', 'keeper', 'crew', 'unit', 'units', 'mixed', 'files'] as const
const chosenField = (name: (typeof CHOSEN)[number]): FormField => {
  const entries = name === 'mixed' ? ['user', 'department'] : name.startsWith('unit') ? ['department'] : ['user']
  return { ...fieldOf(name, [TYPES[name]]), settings: { entries } } as unknown as FormField
}

/** A control that keeps its value. */
function Box({ name, field }: { name: string; field: FormField }) {
  const [value, setValue] = useState<unknown>(null)
  const Widget = formWidget(field.propertyType)
  setters[name] = setValue
  window_.values[name] = value
  if (!Widget) return null
  return (
    <div data-box={name}>
      <label htmlFor={name}>{name}</label>
      <Widget
        id={name}
        field={field}
        schemaCode="s"
        value={value}
        onChange={(next) => {
          window_.changes[name] = (window_.changes[name] ?? 0) + 1
          setValue(next)
        }}
        values={() => ({})}
        invalid={isUnread(value)}
      />
    </div>
  )
}

function FilterBox({ name, operator }: { name: string; operator: string }) {
  const [type, format] = KINDS[name] as [number, string?]
  const [value, setValue] = useState<FilterValue | null>(null)
  const { Filter } = propertyUI(type)
  const id = `${name}-${operator}`
  setters[id] = (next) => setValue(next as FilterValue | null)
  window_.values[id] = value?.value ?? null
  if (!Filter) return null
  return (
    <div data-box={id} style={{ width: 280 }}>
      <label htmlFor={id}>{id}</label>
      <Filter
        id={id}
        field={fieldOf(name, [type, format])}
        schemaCode="s"
        operator={operator}
        value={value}
        onChange={(next) => {
          window_.changes[id] = (window_.changes[id] ?? 0) + 1
          setValue(next)
        }}
        onSubmit={() => {}}
      />
    </div>
  )
}

const columns = ['date', 'month', 'moment', 'time', 'number', 'text'].map((name) =>
  fieldOf(name, KINDS[name] as [number, string?]),
)
const items = {
  ...fieldOf('items', [TYPES.sheet]),
  children: columns,
  settings: { maxRows: 50 },
} as unknown as FormField
const emptyRows = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `r${i}` }))

const formFields = [
  ...['text', 'date', 'month', 'moment', 'time', 'number'].map((name) => fieldOf(name, KINDS[name] as [number])),
  items,
]
const load = {
  id: 'r1',
  version: 1,
  actions: ['save'],
  data: { date: '2026-01-05', items: emptyRows(3) },
  form: {
    schemaCode: 's',
    sheetCode: 's',
    columns: 1,
    fields: formFields,
    layout: formFields.map(({ propertyCode }) => ({ type: 'Field', propertyCode })),
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        formFields.map(({ propertyCode: code }) => [code, { type: code === 'items' ? 'array' : 'string' }]),
      ),
    },
    uiSchema: {},
  },
} as unknown as FormLoad

const people = {
  ...fieldOf('people', [TYPES.sheet]),
  children: CHOSEN.map(chosenField),
  settings: { maxRows: 50 },
} as unknown as FormField

function FormPart() {
  const form = useRef<Submit>(null)
  const [typing, setTyping] = useState(false)
  const record = useRecord(load, () => {})
  useSaveKey(true, () => form.current?.submit())
  window_.values = record.values
  return (
    <>
      <RecordForm
        load={load}
        record={record}
        form={form as RefObject<Submit | null>}
        layout={{ layout: load.form.layout, columns: 1, related: () => null, shown: () => true }}
        onSubmit={() => record.saving.mutate(undefined)}
        onFaults={() => {}}
        onFound={() => {}}
        onTyping={setTyping}
      />
      <button type="button" disabled={!record.dirty && !typing} onClick={() => form.current?.submit()}>
        Save
      </button>
    </>
  )
}

function SheetPart() {
  return <Box name="items" field={items} />
}

/** Many boxes of one kind, to be typed in one after the other. */
function Table() {
  const kind = asked.get('kind') ?? 'date'
  const field = fieldOf(kind, KINDS[kind] as [number, string?])
  return Array.from({ length: Number(asked.get('count')) }, (_, i) => (
    <Box key={i} name={`${kind}-${i}`} field={field} />
  ))
}

const parts: Record<string, () => React.ReactNode> = {
  boxes: () =>
    Object.keys(KINDS).map((name) => <Box key={name} name={name} field={fieldOf(name, KINDS[name] as [number])} />),
  filters: () =>
    ['date', 'month', 'moment', 'time', 'number'].flatMap((name) =>
      (name === 'time' ? ['Equal'] : ['Equal', 'Between']).map((operator) => (
        <FilterBox key={`${name}${operator}`} name={name} operator={operator} />
      )),
    ),
  table: () => <Table />,
  sheet: () => <SheetPart />,
  people: () => <Box name="people" field={people} />,
  chosen: () => CHOSEN.map((name) => <Box key={name} name={name} field={chosenField(name)} />),
  form: () => <FormPart />,
}

await startI18n()
await loadAllTexts()
await loadWidgets(Object.values(TYPES))
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <Providers>
      <main style={{ padding: 24 }}>
        <Suspense>{parts[asked.get('part') ?? 'boxes']?.()}</Suspense>
      </main>
    </Providers>,
  )
window_.ready = true
