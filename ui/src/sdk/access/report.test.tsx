import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { wayOf } from '@/testing/ways'
import { AccessReport } from './report'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('en')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('calls roles by their names, also one that only the change brings', async () => {
  fakeServer({})
  const roles = [
    { code: 'fresh', label: { zh: '新手', i18n: { en: 'Newcomer' } } },
    { code: 'viewer', label: { zh: '来访', i18n: { en: 'Viewer' } } },
  ]
  const group = {
    people: 2,
    names: ['Li', 'Wang'],
    roles: [['viewer', 'fresh']],
    permissions: [],
    apps: [],
    models: [],
    actions: [],
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AccessReport report={{ people: 2, groups: [group], ways: [], roles } as never} />
    </QueryClientProvider>,
  )
  expect(await screen.findByText('Viewer + Newcomer')).toBeTruthy()
})

it('calls a word of a pack by its name in the language of the reader', async () => {
  fakeServer({
    '/api/system/rights/roles': [],
    '/api/system/rights/models': {
      models: [],
      apps: [],
      words: [{ code: 'review', label: { zh: '复查整改', i18n: { en: 'Review corrective actions' } } }],
    },
  })
  const model = {
    label: { zh: '整改单', i18n: { en: 'Corrective action' } },
    ...{ code: 'ncr', sees: null, fields: [] },
    actions: [{ code: 'review', gains: true }],
    rows: [{ actions: ['review', 'moor'], before: '', after: 'all', counts: [] }],
  }
  const group = { people: 1, names: ['Li'], roles: [], permissions: [], apps: [], models: [model], actions: [] }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AccessReport report={{ people: 1, groups: [group], ways: [], roles: [] } as never} />
    </QueryClientProvider>,
  )
  expect((await screen.findAllByText(/Review corrective actions/)).length).toBeGreaterThan(0)
  expect(screen.queryByText(/\breview\b/)).toBeNull()
})

it('tells the ways besides roles, also where nobody has other rights', async () => {
  await setLocale('en')
  fakeServer({ '/api/system/rights/roles': [] })
  const { rerender } = render(
    <QueryClientProvider client={new QueryClient()}>
      <AccessReport report={{ people: 0, groups: [], ways: [wayOf()], roles: [] }} />
    </QueryClientProvider>,
  )
  expect(screen.getByRole('region').textContent).toContain('the role Manager')
  expect(screen.queryByText('No one gains or loses any permission.')).toBeNull()
  rerender(
    <QueryClientProvider client={new QueryClient()}>
      <AccessReport report={{ people: 0, groups: [], ways: [], roles: [] }} />
    </QueryClientProvider>,
  )
  expect(screen.queryByRole('region')).toBeNull()
})

it('says in few words what changes in the same way', async () => {
  await setLocale('zh')
  fakeServer({ '/api/system/rights/roles': [], '/api/system/rights/models': { models: [], apps: [], words: [] } })
  const field = (code: string, after: string) => ({
    ...{ code, label: { zh: code }, before: '-', after },
    ...{ whereBefore: '', whereAfter: '', writesBefore: '', writesAfter: '' },
  })
  const fields = [field('甲', 'rw'), field('乙', 'r'), field('丙', 'rw')]
  const gained = ['*', 'add', 'view'].map((code) => ({ code, gained: true }))
  const actions = [...gained, { code: 'print', gained: false }]
  const model = { label: { zh: '整改单' }, code: 'ncr', actions, rows: [], fields }
  const group = { people: 1, names: ['Li'], roles: [], permissions: [], apps: [], models: [model], actions: [] }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AccessReport report={{ people: 1, groups: [group], ways: [], roles: [] } as never} />
    </QueryClientProvider>,
  )
  expect(screen.getByText('甲、丙：隐藏 → 读写')).toBeTruthy()
  expect(screen.getByText('乙：隐藏 → 只读')).toBeTruthy()
  expect(document.body.textContent).toContain('增加 操作：全部操作失去 操作：打印')
})
