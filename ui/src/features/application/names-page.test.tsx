import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter, Route, Routes, useLocation } from 'react-router'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer, refuse } from '@/testing/fake-server'
import { NamesPage } from './names-page'

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('zh')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const thing = (kind: string, name: string, zh: string) => ({
  ...{ kind, name, pack: 'clinic', path: `${kind}s/x.json` },
  label: { zh, i18n: {} },
})

function Address() {
  return <p data-testid="address">{useLocation().search}</p>
}

function show(names: unknown, at = '') {
  const server = fakeServer({
    '/api/definition/names': names,
    '/api/definition/uses': { documents: [], count: 0, elsewhere: 0, problems: [], drafts: [] },
  })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <MemoryRouter initialEntries={[`/admin/applications/clinic/names${at}`]}>
          <Routes>
            <Route path="/admin/applications/:appCode/names" element={<NamesPage />} />
          </Routes>
          <Address />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
  return server
}

it('finds a name by its text or code, and shows what uses it; the choice stands in the address', async () => {
  const server = show([
    thing('model', 'visit', '就诊'),
    thing('property', 'visit.fee', '费用'),
    thing('role', 'doctor', '医生'),
  ])
  const list = await screen.findByRole('list', { name: '名称' })
  expect(within(list).getAllByRole('listitem')).toHaveLength(3)
  expect(screen.getByText('选择一个名称，查看哪些地方引用它')).toBeTruthy()
  fireEvent.change(screen.getByRole('textbox', { name: '搜索名称或编码' }), { target: { value: 'fee' } })
  expect(within(list).getAllByRole('listitem')).toHaveLength(1)
  fireEvent.click(within(list).getByRole('button', { name: /费用/ }))
  expect((await screen.findByRole('status')).textContent).toBe('没有任何地方引用它')
  expect(screen.getByTestId('address').textContent).toBe('?kind=property&name=visit.fee')
  expect(server.of('/api/definition/uses')[0]?.search.toString()).toBe('appCode=clinic&kind=property&name=visit.fee')
  fireEvent.change(screen.getByRole('textbox', { name: '搜索名称或编码' }), { target: { value: '' } })
  fireEvent.change(screen.getByRole('textbox', { name: '搜索名称或编码' }), { target: { value: 'zzz' } })
  expect(screen.getByText('没有符合条件的名称')).toBeTruthy()
})

it('keeps to the kind of the address, and draws so many only', async () => {
  const many = Array.from({ length: 203 }, (_, i) => thing('property', `visit.p${i}`, `数据${i}`))
  show([thing('model', 'visit', '就诊'), ...many], '?only=property')
  const list = await screen.findByRole('list', { name: '名称' })
  expect(within(list).getAllByRole('listitem')).toHaveLength(200)
  expect(within(list).queryByRole('button', { name: /模型/ })).toBeNull()
  expect(screen.getByText('还有 3 个，请输入更多字缩小范围')).toBeTruthy()
})

it('says what is wrong', async () => {
  show(() => refuse(403, 100104, '没有权限'))
  expect((await screen.findByRole('alert')).textContent).toContain('没有权限')
  cleanup()
  show([])
  expect(await screen.findByText('这个应用还没有可引用的内容')).toBeTruthy()
})
