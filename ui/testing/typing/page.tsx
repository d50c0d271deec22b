// Real controls on a page of their own, for ui/e2e/typing.test.mjs: boxes, choices and sub-tables. The server is a few answers in the page.
import 'antd/dist/reset.css'
import '@/components/base.css'
import '@/app/locales'
import { Suspense, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { FormField } from '@/api/types'
import { Providers } from '@/app/providers'
import { loadAllTexts, startI18n } from '@/i18n/i18n'
import { formWidget, loadWidgets } from '@/registry/properties'
import { isUnread } from '@/sdk/property'

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
  set: (name: string, value: unknown) => void
  ready: boolean
}
window_.values = {}
const setters: Record<string, (value: unknown) => void> = {}
window_.set = (name, value) => setters[name]?.(value)

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
  const content = found.map(({ words, entry }) =>
    words.includes(word) ? { ...entry, named: words[0] === word ? 'text' : 'sound' } : entry,
  )
  return { content, totalElements: found.length }
}

/** As the server reads the text of a cell: one name, or several; nothing where one of them is nobody's. */
function meant({ keyword, propertyCode }: { keyword: string; propertyCode: string }) {
  const among = /unit/.test(propertyCode) ? UNITS : /mixed/.test(propertyCode) ? [...PEOPLE, ...UNITS] : PEOPLE
  const found = keyword.split(/[;；、]/).map((name) => among.find(({ entry }) => entry.name === name.trim())?.entry)
  const content = found.every((one) => one !== undefined) ? found : []
  return { content, totalElements: content.length }
}

const answers: Record<string, (body: unknown, asked: URLSearchParams) => unknown> = {
  '/api/runtime/form/options': (body, asked) => (body ? meant(body as Parameters<typeof meant>[0]) : choices(asked)),
  '/api/system/config': () => ({ timezone: 'Asia/Shanghai' }),
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
        onChange={setValue}
        values={() => ({})}
        invalid={isUnread(value)}
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

const people = {
  ...fieldOf('people', [TYPES.sheet]),
  children: CHOSEN.map(chosenField),
  settings: { maxRows: 50 },
} as unknown as FormField

const parts: Record<string, () => React.ReactNode> = {
  boxes: () =>
    Object.keys(KINDS).map((name) => <Box key={name} name={name} field={fieldOf(name, KINDS[name] as [number])} />),
  sheet: () => <Box name="items" field={items} />,
  people: () => <Box name="people" field={people} />,
  chosen: () => CHOSEN.map((name) => <Box key={name} name={name} field={chosenField(name)} />),
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
