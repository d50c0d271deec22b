import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer, refuse } from '@/testing/fake-server'
import { ApplicationPage } from './application-page'
import { ApplicationsPage } from './applications-page'

const app = (code: string, name: string, change: object = {}) => ({
  code,
  name,
  name_i18n: {},
  group: '工程',
  group_i18n: { en: 'Engineering' },
  icon: '',
  color: '',
  disabled: false,
  sortKey: 1000,
  version: '1.0.0',
  delivered: false,
  models: 1,
  entries: 2,
  seen: `seen-${code}`,
  ...change,
})

const done = {
  version: 7,
  diagnostics: [],
  conflicts: [],
  steps: [],
  class: 'safe',
  digest: 'd',
  references: [],
  records: 0,
}

const entry = (code: string, change: object = {}) => ({
  code,
  type: 'BizModel',
  name: '',
  name_i18n: {},
  label: { zh: code },
  icon: '',
  hidden: false,
  draft: false,
  schemaCode: code,
  queryCode: code,
  reportCode: '',
  page: '',
  pcUrl: '',
  mobileUrl: '',
  openMode: 'VUE_MODE',
  children: [],
  ...change,
})

let answers: Record<string, unknown>
let server: ReturnType<typeof fakeServer>
beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('zh')
})
beforeEach(() => {
  answers = {
    '/api/organization/user/info': { id: 'u', username: 'u', name: '管理', permissions: ['ADMIN'] },
    '/api/app/apppackage/list_all': [
      app('a', '甲'),
      app('b', '乙', { delivered: true }),
      app('c', '丙', { group: '', group_i18n: {} }),
    ],
    '/api/app/function/manage': {
      app: app('a', '甲'),
      menu: [
        entry('lots', { label: { zh: '检验批' } }),
        entry('f', { type: 'Folder', schemaCode: '', label: { zh: '夹' } }),
      ],
      models: [
        { code: 'lots', label: { zh: '检验批' }, own: true, lists: [] },
        { code: 'old', label: { zh: '旧模型' }, own: true, lists: [] },
        { code: 'user', label: { zh: '人员' }, own: false, lists: [] },
      ],
    },
    '/api/app/apppackage/order': done,
    '/api/app/apppackage/update': done,
    '/api/app/function/update': done,
    '/api/app/function/move': done,
    '/api/app/function/create': done,
    '/api/app/function/delete': done,
    '/api/app/apppackage/restore': done,
  }
  server = fakeServer(answers)
})
afterEach(cleanup)

const draw = (path = '/admin/applications') =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <MemoryRouter initialEntries={[path]}>
          <Routes>
            <Route path="/admin/applications" element={<ApplicationsPage />} />
            <Route path="/admin/applications/:appCode" element={<ApplicationPage />} />
          </Routes>
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )

const bodies = (path: string) => server.of(path).map((call) => call.body)
// Roles and names of everything are slow to find in a page of antd's: labels and texts say enough here.
const menuItem = (what: string) => screen.findByText(what, { selector: '.ant-dropdown-menu-title-content' })
const openMenu = async (of: string) => fireEvent.click(await screen.findByLabelText(`“${of}”的操作`))
const act = async (of: string, what: string) => {
  await openMenu(of)
  fireEvent.click(await menuItem(what))
}
const dialogBox = () => document.querySelector('.ant-modal') as HTMLElement
const dialogButton = () => dialogBox().querySelector('.ant-modal-footer .ant-btn-primary') as HTMLButtonElement

describe('the applications', () => {
  it('lead to the links for people without an account, for who may make them', async () => {
    draw()
    await screen.findByLabelText(/移动“乙”/)
    expect(screen.queryByText('外部链接')).toBeNull()
    cleanup()
    answers['/api/organization/user/info'] = {
      id: 'u',
      username: 'u',
      name: '管理',
      permissions: ['APP_MNG'],
      externalLinks: true,
    }
    draw()
    expect((await screen.findByText('外部链接')).getAttribute('href')).toBe('/external-links')
  })

  it('are moved with the arrow keys, and their place is said', async () => {
    draw()
    const handle = await screen.findByLabelText(/移动“乙”/)
    fireEvent.keyDown(handle, { key: 'ArrowUp' })
    await waitFor(() =>
      expect(bodies('/api/app/apppackage/order')).toEqual([
        { codes: ['b', 'a', 'c'], move: { code: 'b', group: '工程', group_i18n: { en: 'Engineering' } } },
      ]),
    )
    screen.getByText('“乙”已移到第 1 位')
    fireEvent.keyDown(handle, { key: 'ArrowDown' }) // it is the last of its group
    expect(bodies('/api/app/apppackage/order')).toHaveLength(1)
  })

  it('need a name and a code that is one', async () => {
    draw()
    fireEvent.click(await screen.findByText('新增应用'))
    await screen.findByLabelText('英文名称')
    const box = within(dialogBox())
    fireEvent.change(box.getByLabelText('英文名称'), { target: { value: 'Purchase orders' } })
    expect((box.getByLabelText(/^编码/) as HTMLInputElement).value).toBe('purchaseOrders')
    fireEvent.change(box.getByLabelText(/^编码/), { target: { value: '1 x' } })
    fireEvent.click(dialogButton())
    await box.findByText('请填写名称')
    box.getByText('编码以字母开头，只含字母、数字和下划线，最多 63 个字符')
    expect(bodies('/api/app/apppackage/create')).toEqual([])
    fireEvent.change(box.getByLabelText(/^中文名称/), { target: { value: '采购' } })
    fireEvent.change(box.getByLabelText(/^编码/), { target: { value: 'orders' } })
    answers['/api/app/apppackage/create'] = () => refuse(409, 600002, '编码“orders”已被使用，请改用其他编码')
    fireEvent.click(dialogButton())
    await box.findByText('编码“orders”已被使用，请改用其他编码')
    expect((box.getByLabelText(/^中文名称/) as HTMLInputElement).value).toBe('采购')
  })

  it('that come with the program are disabled, not deleted', async () => {
    draw()
    await openMenu('乙')
    expect((await menuItem('删除')).closest('li')?.getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(await menuItem('停用'))
    await waitFor(() =>
      expect(bodies('/api/app/apppackage/update')).toEqual([{ code: 'b', seen: 'seen-b', disabled: true }]),
    )
  })

  it('have their group in the language of the reader when they are edited, and keep it', async () => {
    await setLocale('en')
    try {
      draw()
      fireEvent.click(await screen.findByLabelText('Actions for 甲'))
      fireEvent.click(await menuItem('Edit'))
      expect((await screen.findByLabelText<HTMLInputElement>('Group')).value).toBe('Engineering')
      expect(screen.queryByLabelText('English name of the group')).toBeNull()
      fireEvent.click(dialogButton())
      await waitFor(() =>
        expect(bodies('/api/app/apppackage/update')).toMatchObject([
          { code: 'a', group: '工程', group_i18n: { en: 'Engineering' } },
        ]),
      )
    } finally {
      await setLocale('zh')
    }
  })

  it('are closed to those who do not administer them', async () => {
    answers['/api/app/apppackage/list_all'] = () => refuse(403, 700001, 'no')
    draw()
    await screen.findByText('您没有管理应用的权限')
  })
})

describe('the menu of an application', () => {
  const at = '/admin/applications/a'

  it('hides an item, and undoes it', async () => {
    draw(at)
    await act('检验批', '隐藏')
    await waitFor(() =>
      expect(bodies('/api/app/function/update')).toEqual([
        { appCode: 'a', seen: 'seen-a', code: 'lots', hidden: true },
      ]),
    )
    fireEvent.click(await screen.findByText(/^撤\s?销$/))
    await waitFor(() =>
      expect(bodies('/api/app/apppackage/restore')).toEqual([{ code: 'a', version: 6, from: 7, confirm: '' }]),
    )
  })

  it('says when somebody else changed it, and reads it again', async () => {
    answers['/api/app/function/move'] = () => refuse(409, 401003, 'conflict')
    draw(at)
    await act('检验批', '移到“夹”')
    await screen.findByText('他人刚刚修改了此应用，已显示最新内容，请重新操作。')
    await waitFor(() => expect(server.of('/api/app/function/manage')).toHaveLength(2))
  })

  it('deletes a model only after what goes with it was confirmed', async () => {
    answers['/api/app/function/delete'] = ({ body }: { body: { model?: string; check?: boolean } }) =>
      body.model ? { ...done, digest: 'steps', records: 3 } : done
    draw(at)
    await act('检验批', '删除')
    await screen.findByText('只从菜单中删除，数据和定义不受影响。')
    fireEvent.click(screen.getByLabelText(/同时删除数据模型/))
    await screen.findByText('将彻底删除 3 条记录，无法恢复。')
    const button = dialogButton
    expect(button().disabled).toBe(true)
    fireEvent.change(screen.getByLabelText('输入编码 lots 以确认'), { target: { value: 'lot' } })
    expect(button().disabled).toBe(true)
    fireEvent.change(screen.getByLabelText('输入编码 lots 以确认'), { target: { value: 'lots' } })
    fireEvent.click(button())
    await waitFor(() =>
      expect(bodies('/api/app/function/delete').at(-1)).toEqual({
        appCode: 'a',
        seen: 'seen-a',
        code: 'lots',
        model: 'lots',
        confirm: 'steps',
        allowDestructive: true,
      }),
    )
  })

  it('names what keeps a model, and offers models that no item opens', async () => {
    const references = [
      {
        pack: 'desk',
        path: 'models/ticket.json',
        kind: { zh: '模型' },
        name: { zh: '工单' },
        text: { zh: '没有模型' },
      },
    ]
    answers['/api/app/function/delete'] = { ...done, references }
    draw(at)
    const rest = await screen.findByLabelText('不在菜单中的模型')
    within(rest).getByText('旧模型')
    expect(within(rest).queryByText('人员')).toBeNull()
    fireEvent.click(await within(rest).findByText(/^删\s?除$/))
    await screen.findByText('仍有 1 处引用，不能删除：')
    screen.getByText(/模型“工单”/)
    expect(dialogButton().disabled).toBe(true)
  })
})
