import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { type FakeUpload, fakeUploads } from '@/testing/fake-upload'
import { nameOf, partyOf, wayOf } from '@/testing/ways'
import { HistoryDialog } from './history-dialog'
import { ImportDialog } from './import-dialog'

let uploads: FakeUpload[]
beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('zh')
})
beforeEach(() => {
  uploads = fakeUploads()
  fakeServer({
    '/api/system/rights/roles': [],
    '/api/system/rights/models': { models: [], apps: [], words: [] },
    '/api/app/apppackage/history': [
      { version: 3, time: '2026-11-25T08:00:00Z', author: 'u', note: '上线', name: '张三' },
    ],
    '/api/app/apppackage/restore': checked,
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const mole = partyOf('row', { names: [nameOf('mole', 'mole')] })
const group = {
  ...{ people: 2, names: ['李四'], roles: [['viewer']], permissions: [{ code: 'ADMIN', gained: true }] },
  ...{ apps: [], models: [], actions: [] },
}
const ways = [
  wayOf({ kind: 'data', label: { zh: '人员' }, people: [mole], roles: [nameOf('administrator', '管理员')] }),
]
const checked = {
  ...{ version: 0, diagnostics: [], conflicts: [], steps: [], class: 'safe', digest: 'd', references: [], records: 0 },
  ...{ code: 'new', name: '新应用', from: '', to: '1.0.0', new: true, added: ['app.json'], changed: [], removed: [] },
  access: { people: 2, groups: [group], ways, roles: [] },
}
const draw = (of: React.ReactNode) =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>{of}</App>
    </QueryClientProvider>,
  )
/** Chooses a package; the server answers its check. */
const choose = async (answer: object) => {
  fireEvent.change(await screen.findByLabelText('选择文件'), { target: { files: [new File(['x'], 'new.zip')] } })
  await waitFor(() => expect(uploads).toHaveLength(1))
  expect(uploads[0]?.url.searchParams.get('check')).toBe('true')
  uploads[0]?.store(answer)
}

it('tells before a package is imported whose rights change and what it opens besides roles', async () => {
  draw(<ImportDialog onClose={() => {}} />)
  await choose(checked)
  await screen.findByText('影响 2 人')
  expect(document.body.textContent).toContain('应用自带的数据（人员）授予 mole 角色“管理员”')
})

it('tells nothing of rights for a package that is there already', async () => {
  draw(<ImportDialog onClose={() => {}} />)
  await choose({ ...checked, new: false, added: [], access: { people: 0, groups: [], ways: [], roles: [] } })
  await screen.findByText(/没有变化/)
  expect(screen.queryByText('没有人的权限发生变化。')).toBeNull()
})

it('tells the same before an earlier version is restored', async () => {
  draw(<HistoryDialog app={{ code: 'a', delivered: true }} onClose={() => {}} />)
  fireEvent.click((await screen.findAllByText(/^恢\s?复/))[0] as HTMLElement)
  await screen.findByText('影响 2 人')
  expect(document.body.textContent).toContain('应用自带的数据（人员）授予 mole 角色“管理员”')
})

it('brings nothing where records stand in the way of a step', async () => {
  draw(<ImportDialog onClose={() => {}} />)
  const step = { action: 'add-index', table: 'd_a', model: 'a', column: 'no', count: 2 }
  const text = { zh: 'a 的 no 改为唯一，2 条记录有重复：“1”（2）' }
  await choose({ ...checked, class: 'impossible', steps: [{ ...step, class: 'impossible', text }] })
  expect((await screen.findByText(/改为唯一/)).textContent).toContain('须先修改记录')
  expect(screen.getByRole('button', { name: /导\s?入/ })).toHaveProperty('disabled', true)
})

it('names the class of a step that has to be confirmed', async () => {
  draw(<ImportDialog onClose={() => {}} />)
  const step = { action: 'required', table: 'd_a', model: 'a', count: 2, class: 'needs-confirmation' }
  await choose({ ...checked, class: 'needs-confirmation', steps: [{ ...step, text: { zh: 'no 改为必填' } }] })
  expect((await screen.findByText(/改为必填/)).textContent).toContain('须确认')
})

it('tells before an import and a restoration what becomes of running instances', async () => {
  const text = { zh: '流程 a：1 个实例仍按版本 1 运行\n到节点“b”时停止', i18n: { en: 'x' } }
  const workflows = [{ workflowCode: 'a', count: 1, text }]
  fakeServer({
    '/api/system/rights/roles': [],
    '/api/system/rights/models': { models: [], apps: [], words: [] },
    '/api/app/apppackage/history': [
      { version: 3, time: '2026-11-25T08:00:00Z', author: 'u', note: '上线', name: '张三' },
    ],
    '/api/app/apppackage/restore': { ...checked, workflows },
  })
  draw(<ImportDialog onClose={() => {}} />)
  await choose({ ...checked, workflows })
  expect((await screen.findByText(/仍按版本 1 运行/)).textContent).toContain('停止')
  cleanup()
  draw(<HistoryDialog app={{ code: 'a', delivered: true }} onClose={() => {}} />)
  fireEvent.click((await screen.findAllByText(/^恢\s?复/))[0] as HTMLElement)
  await screen.findByText(/仍按版本 1 运行/)
})
