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
    '/api/definition/uses': { documents: [], count: 0, elsewhere: 0, problems: [], drafts: [], saved: [] },
  })
  draw(at)
  return server
}

function draw(at: string) {
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

it('gives what the installation made another code, after it has shown what changes', async () => {
  const server = fakeServer({
    '/api/definition/names': [
      { ...thing('model', 'visit', '就诊'), own: true },
      { ...thing('model', 'bill', '账单'), own: false },
    ],
    '/api/definition/uses': { documents: [], count: 0, elsewhere: 0, problems: [], drafts: [], saved: [] },
    '/api/definition/rename': ({ body }: { body: { code: string } }) => ({
      ...{ version: 1, conflicts: [], class: 'safe', digest: 'd1', access: null, steps: [], places: 3, possible: [] },
      files: body.code === 'taken' ? [] : [{ pack: 'clinic', path: 'models/visit.json', to: 'models/call.json' }],
      drafts: [{ pack: 'clinic', path: 'lists/visit.json' }],
      diagnostics:
        body.code === 'taken'
          ? [
              {
                file: 'clinic/models/taken.json',
                line: 1,
                code: 'RENAME004',
                severity: 'error',
                zh: '编码已被使用',
                en: '',
              },
            ]
          : [],
    }),
  })
  draw('?kind=model&name=visit')
  fireEvent.click(await screen.findByRole('button', { name: '修改编码' }))
  const dialog = await screen.findByRole('dialog')
  const button = (name: string) => within(dialog).getByRole<HTMLButtonElement>('button', { name })
  const type = (code: string) =>
    fireEvent.change(within(dialog).getByRole('textbox', { name: '新编码' }), { target: { value: code } })
  for (const code of ['', 'Visit', '1x', 'a-b']) {
    type(code)
    expect(button('查看影响').disabled, code).toBe(true)
  }
  type('taken')
  fireEvent.click(button('查看影响'))
  expect((await within(dialog).findByRole('alert')).textContent).toContain('编码已被使用')
  expect(button('发布修改').disabled).toBe(true)
  type('call')
  expect(within(dialog).queryByRole('alert')).toBeNull()
  fireEvent.click(button('查看影响'))
  expect((await within(dialog).findByRole('status')).textContent).toBe('修改 1 个文件中的 3 处')
  expect(within(dialog).getByText('clinic/models/visit.json 改为 models/call.json')).toBeTruthy()
  expect(within(dialog).getByText('您的草稿随之修改，仍是草稿：clinic/lists/visit.json')).toBeTruthy()
  type('other')
  expect(button('发布修改').disabled, 'what was shown was another code').toBe(true)
  type('call')
  fireEvent.click(button('发布修改'))
  await vi.waitFor(() => expect(screen.getByTestId('address').textContent).toBe('?kind=model&name=call'))
  expect(server.of('/api/definition/rename').at(-1)?.body).toEqual({
    ...{ appCode: 'clinic', kind: 'model', name: 'visit', code: 'call', confirm: 'd1' },
  })
})

it('says what is wrong', async () => {
  show(() => refuse(403, 100104, '没有权限'))
  expect((await screen.findByRole('alert')).textContent).toContain('没有权限')
  cleanup()
  show([])
  expect(await screen.findByText('这个应用还没有可引用的内容')).toBeTruthy()
})
