import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Suspense } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { FormField, FormLoad } from '@/api/types'
import { WaitingForms } from '@/features/draft/waiting-forms'
import { useRecord } from '@/features/form/record/use-record'
import { placeOf } from '@/features/form/unsaved/unsaved'
import { UnsavedBanner } from '@/features/form/unsaved/unsaved-banner'
import { useUnsaved } from '@/features/form/unsaved/use-unsaved'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { clearUnsent } from '@/lib/unsaved-store'
import { loadWidgets } from '@/registry/properties'
import { waitingForms } from '@/sdk/unsaved-forms'
import { fakeServer } from '@/testing/fake-server'

let me = 'p'
vi.mock('@/sdk/me', () => ({ useMe: () => ({ id: me }) }))

const field = (propertyCode: string) =>
  ({
    propertyCode,
    propertyType: 0,
    name: propertyCode,
    name_i18n: {},
    settings: {},
    children: null,
  }) as unknown as FormField
const fields = [field('title'), field('other')]
const form = {
  schemaCode: 's',
  sheetCode: 's',
  modelName: '合同',
  columns: 1,
  fields,
  layout: [],
  schema: {},
  uiSchema: {},
}
const load = { id: null, version: null, name: '', actions: ['save'], data: {}, form } as unknown as FormLoad
const address = { schemaCode: 's', sheetCode: 's' }

/** The windows that hold places, as the browser's locks tell. */
let held: Set<string>
beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadWidgets([0])
  await setLocale('zh')
})
beforeEach(() => {
  me = 'p'
  localStorage.clear()
  held = new Set()
  vi.stubGlobal('navigator', {
    ...navigator,
    userAgent: navigator.userAgent,
    locks: {
      request: async (name: string, run: () => Promise<void>) => {
        held.add(name)
        await run()
        held.delete(name)
      },
      query: async () => ({ held: [...held].map((name) => ({ name })) }),
    },
  })
  fakeServer({ '/api/system/config': () => ({ timezone: 'UTC' }) })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const records = new Map<string, ReturnType<typeof useRecord>>()
function Window({ name }: { name: string }) {
  const record = useRecord(load, vi.fn())
  records.set(name, record)
  const unsent = useUnsaved({ address, load, record, editing: true, sends: true })
  return (
    <section aria-label={name}>
      <UnsavedBanner load={load} record={record} unsent={unsent} onEdit={() => {}} />
    </section>
  )
}
const show = (page: React.ReactNode) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Suspense>{page}</Suspense>
    </QueryClientProvider>,
  )
const type = (name: string, values: Record<string, unknown>) => act(() => records.get(name)?.change(values))
const kept = () =>
  waitingForms(placeOf(me, address)).map(({ fields }) =>
    Object.fromEntries(Object.entries(fields).map(([code, one]) => [code, one.mine])),
  )
const restore = () => screen.findByRole('button', { name: /恢.?复/ })

it('keeps what two windows type into new records of one form apart', async () => {
  show(<Window name="a" />)
  const second = show(<Window name="b" />)
  type('a', { title: 'from a' })
  type('b', { other: 'from b' })
  await waitFor(() => expect(kept()).toHaveLength(2))
  expect(kept()).toEqual(expect.arrayContaining([{ title: 'from a' }, { other: 'from b' }]))
  // One window is closed: a third one is offered its input, and not that of the window that is open.
  second.unmount()
  await waitFor(() => expect(held.size).toBe(1))
  show(<Window name="c" />)
  fireEvent.click(await restore())
  await waitFor(() => expect(records.get('c')?.values).toEqual({ other: 'from b' }))
  await waitFor(() => expect(kept()).toHaveLength(2))
  expect(kept()).toEqual(expect.arrayContaining([{ title: 'from a' }, { other: 'from b' }]))
})

it('offers the newest after a reload, lists all of them, and forgets them with the session', async () => {
  for (const name of ['a', 'b']) {
    const one = show(<Window name={name} />)
    type(name, { title: `from ${name}` })
    one.unmount()
    await waitFor(() => expect(held.size).toBe(0))
    await new Promise((done) => setTimeout(done, 5))
  }
  show(<Window name="c" />)
  await restore()
  expect(screen.getByText(/另有 1 份/)).toBeTruthy()
  cleanup()
  await waitFor(() => expect(held.size).toBe(0))
  const list = () =>
    show(
      <MemoryRouter>
        <WaitingForms />
      </MemoryRouter>,
    )
  list()
  const links = await screen.findAllByRole('link')
  expect(links.map(({ textContent }) => textContent)).toEqual(['from b', 'from a'])
  expect(links[1]?.getAttribute('href')).toMatch(/^\/form\/detail\?schemaCode=s&sheetCode=s&unsaved=[0-9a-f]{32}$/)
  fireEvent.click(screen.getAllByRole('button')[0] as HTMLElement)
  expect(kept()).toEqual([{ title: 'from a' }])
  cleanup()
  me = 'q'
  list()
  await new Promise((done) => setTimeout(done, 20))
  expect(screen.queryByRole('link')).toBeNull()
  me = 'p'
  clearUnsent()
  expect(kept()).toEqual([])
})
