import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { FormField, FormLoad } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { writeUnsent } from '@/lib/unsaved-store'
import { loadWidgets } from '@/registry/properties'
import { findUnsaved } from '@/sdk/unsaved-forms'
import { fakeServer } from '@/testing/fake-server'
import { useRecord } from '../record/use-record'
import { formDigest, placeOf } from './unsaved'
import { UnsavedBanner } from './unsaved-banner'
import { useUnsaved } from './use-unsaved'

vi.mock('@/sdk/me', () => ({ useMe: () => ({ id: 'p' }) }))

const field = (propertyCode: string, name: string) =>
  ({
    propertyCode,
    propertyType: 0,
    name,
    name_i18n: { en: `${name} (en)` },
    settings: {},
    children: null,
  }) as unknown as FormField
const fields = [field('title', '标题'), field('other', '其他')]
const form = { schemaCode: 's', sheetCode: 's', columns: 1, fields, layout: [], schema: {}, uiSchema: {} }
const load = (...actions: string[]) =>
  ({ id: 'r', version: 2, name: 'r', actions, data: { title: 'now', other: '' }, form }) as unknown as FormLoad
const address = { schemaCode: 's', sheetCode: 's', objectId: 'r' }
const place = placeOf('p', address)

function Page({ of, sends }: { of: FormLoad; sends: boolean }) {
  const record = useRecord(of, vi.fn())
  const unsent = useUnsaved({ address, load: of, record, editing: false, sends })
  return <UnsavedBanner load={of} record={record} unsent={unsent} onEdit={() => {}} />
}

const show = (of: FormLoad, sends: boolean) => (
  <QueryClientProvider client={new QueryClient()}>
    <Suspense>
      <Page of={of} sends={sends} />
    </Suspense>
  </QueryClientProvider>
)

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadWidgets([0])
  await setLocale('en')
})
beforeEach(() => {
  fakeServer({ '/api/system/config': () => ({ timezone: 'UTC' }) })
  const typed = { title: { type: 0, base: 'was', mine: 'typed by me' } }
  writeUnsent(place, { version: 1, form: formDigest(fields), fields: typed })
})

it('shows what was typed into a record that takes nothing any more, and throws it away', async () => {
  const { rerender } = render(show(load('save'), true))
  await screen.findByRole('button', { name: /Restore/ })
  rerender(show(load(), false))
  expect(await screen.findByText('typed by me')).toBeTruthy()
  expect(screen.getByText('标题 (en)')).toBeTruthy()
  expect(screen.queryByText('其他 (en)')).toBeNull()
  expect(screen.queryByRole('button', { name: /Restore/ })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: /Discard/ }))
  expect(screen.queryByText('typed by me')).toBeNull()
  expect(findUnsaved(place)).toBeNull()
})
