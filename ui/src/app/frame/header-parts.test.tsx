import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import type { ReactNode } from 'react'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { PersonalDialog } from '@/features/account/personal-dialog'
import { recordQuery } from '@/features/form/api'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { appsQuery } from '@/sdk/home'
import { chooseProject, useProject } from '@/sdk/project'
import { fakeServer, refuse } from '@/testing/fake-server'
import { MePage } from '../me-page'
import { Breadcrumb } from './breadcrumb'
import { PersonMenu } from './person-menu'
import { Place } from './place'
import { ProjectName } from './project'

const me = {
  id: 'u',
  name: '张三',
  mobile: '13800000000',
  departmentName: '质检部',
  parentDepartmentName: '指挥部',
  position: '工程师',
  imgUrl: null,
  permissions: [] as string[],
}
const config = {
  id: 'default',
  single: true,
  simpleQualityFlag: false,
  title: '',
  logo: null,
  bimUrl: null,
  multiProjectFlag: false,
  treeModel: '',
}
function Where() {
  const { pathname, search } = useLocation()
  return <p data-testid="where">{pathname + search}</p>
}
const home = {
  recentApps: [],
  favorites: [],
  pages: [],
  records: [],
  drafts: { content: [], totalElements: 0 },
  unread: { STATION: 0, COMMENT: 0 },
  messages: [],
  steps: [],
}

describe('the header', () => {
  let answers: Record<string, unknown>
  let server: ReturnType<typeof fakeServer>
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await setLocale('zh')
  })
  beforeEach(() => {
    answers = {
      '/api/organization/user/info': me,
      '/api/sysConfig/projectConfig/default': config,
      '/api/app/home': home,
    }
    server = fakeServer(answers)
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })
  const draw = (part: ReactNode, at = '/') =>
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <MemoryRouter initialEntries={[at]}>
            {part}
            <Where />
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )
  const where = () => screen.getByTestId('where').textContent
  const menu = <PersonMenu onClose={() => {}} onDialog={() => {}} />

  it('says who is signed in: name, mobile, department with the one above it', async () => {
    draw(menu)
    expect(await screen.findByText('张三')).toBeTruthy()
    expect(screen.getByText('13800000000')).toBeTruthy()
    expect(screen.getByText('质检部 · 工程师').getAttribute('title')).toBe('指挥部')
    expect(screen.queryByText(/管理员/)).toBeNull()
    expect(screen.queryByText('主题设置')).toBeNull()
  })

  it.each([
    [['APP_MNG'], '应用管理员', false],
    [['SYS_MNG'], '系统管理员', true],
    [['APP_MNG', 'ADMIN'], '系统管理员', true],
  ])('tags people with %s as %s', async (permissions, tag, theme) => {
    answers['/api/organization/user/info'] = { ...me, permissions }
    draw(menu)
    expect(await screen.findByText(tag)).toBeTruthy()
    expect(screen.queryByText('主题设置') !== null).toBe(theme)
  })

  it('offers a change of the password only to those who have one to change', async () => {
    for (const may of [true, false]) {
      answers['/api/organization/user/info'] = { ...me, mayChangePassword: may }
      for (const part of [menu, <MePage key="me" />]) {
        draw(part)
        await screen.findAllByText('张三')
        expect(screen.queryByRole('button', { name: '修改密码' }) !== null).toBe(may)
        cleanup()
      }
      draw(<PersonalDialog tab="info" onTab={() => {}} onClose={() => {}} />)
      await screen.findAllByText('张三')
      expect(screen.queryByRole('tab', { name: '修改密码' }) !== null).toBe(may)
      cleanup()
    }
  })

  it('offers external links to those who make them', async () => {
    draw(menu)
    await screen.findByText('张三')
    expect(screen.queryByRole('button', { name: '外部链接' })).toBeNull()
    cleanup()
    answers['/api/organization/user/info'] = { ...me, externalLinks: true }
    draw(menu)
    expect(await screen.findByRole('button', { name: '外部链接' })).toBeTruthy()
  })

  it('names the page outside of applications, with the way to its parent', async () => {
    draw(<Place />, '/my-draft')
    expect(await screen.findByText('我的草稿')).toBeTruthy()
    expect(screen.getByRole('link', { name: '返回首页' }).getAttribute('href')).toBe('/')
  })

  it.each([
    ['/message-notification?type=COMMENT', '消息中心', '/'],
    ['/rights', '权限', '/'],
    ['/rights/role?code=staff', '权限', '/rights'],
    ['/admin/applications/lock', '应用管理', '/admin/applications'],
    ['/system/errors', '运行状况', '/system/operation'],
    ['/workflow-center/my-workflow', '流程中心', '/'],
    ['/form/detail?workItemId=w1&schemaCode=s&key=1', '流程中心', '/workflow-center'],
    ['/form/detail?startWorkflowCode=c', '流程中心', '/workflow-center'],
    ['/from/workflow-track/i1/w1/', '流程中心', '/workflow-center'],
  ])('names %s, and leads back from it', async (at, name, back) => {
    draw(<Place />, at)
    expect(await screen.findByText(name)).toBeTruthy()
    fireEvent.click(screen.getByRole('link'))
    expect(where()).toBe(back)
  })

  it('names the list of applications, above which nothing is', async () => {
    draw(<Place />, '/app-list/applications')
    expect(await screen.findByText('应用')).toBeTruthy()
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('names the project where there is one', async () => {
    answers['/api/sysConfig/projectConfig/default'] = { ...config, title: '三峡船闸' }
    draw(<ProjectName />)
    expect((await screen.findByText('三峡船闸')).getAttribute('title')).toBe('三峡船闸')
  })

  it('shows everything about a person in personal settings, and nothing that is not known', async () => {
    answers['/api/organization/user/info'] = {
      ...me,
      username: 'zhang.san',
      imgUrl: '/api/files/face',
      employeeNo: 'GH-0412',
      roleName: '质检员',
      email: 'zhang@example.com',
      remark: '只看一标',
      lastLoginTime: '2026-11-20T08:00:00Z',
    }
    draw(<PersonalDialog tab="info" onTab={() => {}} onClose={() => {}} />)
    await screen.findAllByText('张三')
    const shown = () => [...document.querySelectorAll('dl > div')].map((one) => one.textContent)
    expect(shown()).toEqual([
      '账号zhang.san',
      '部门指挥部 / 质检部',
      '职务工程师',
      '角色质检员',
      '工号GH-0412',
      '手机13800000000',
      '邮箱zhang@example.com',
      '备注只看一标',
      '上次登录2026-11-20 16:00',
    ])
    expect(document.querySelector('.ant-modal img')?.getAttribute('src')).toBe('/api/files/face')
    cleanup()
    answers['/api/organization/user/info'] = { ...me, username: 'li.si', mobile: null, position: null }
    draw(<PersonalDialog tab="info" onTab={() => {}} onClose={() => {}} />)
    await screen.findAllByText('张三')
    expect(shown()).toEqual(['账号li.si', '部门指挥部 / 质检部'])
  })

  it('offers the same pages in the menu of a person, on the page about them and in the palette', async () => {
    answers['/api/organization/user/info'] = { ...me, permissions: ['SYS_MNG'] }
    const names = ['我的草稿', '应用管理', '权限', '运行状况', '主题设置']
    draw(menu)
    for (const name of names) expect(await screen.findByRole('button', { name })).toBeTruthy()
    cleanup()
    draw(<MePage />)
    // two characters of a button stand apart
    for (const name of names)
      expect(await screen.findByRole('button', { name: new RegExp([...name].join(' ?')) })).toBeTruthy()
  })

  it('shows the folders around the entry that is open', async () => {
    const lots = {
      id: 'lock/lots',
      code: 'lots',
      name: '检验批',
      name_i18n: {},
      type: 'BizModel',
      appCode: 'lock',
      parentId: 'lock/q',
      schemaCode: 'lots',
      children: [],
    }
    answers['/api/app/function/tree'] = [
      { id: 'lock/q', code: 'q', name: '质量', name_i18n: {}, type: 'Folder', appCode: 'lock', children: [lots] },
    ]
    draw(<Breadcrumb appCode="lock" />, '/application/lock/application-list/lots?code=lots&parentId=lock%2Fq')
    expect((await screen.findByRole('navigation', { name: '所在位置' })).textContent).toBe('/质量/检验批')
    expect(await screen.findByRole('button', { name: '收藏' })).toBeTruthy()
  })

  it('calls the application of the record on a form', async () => {
    const client = new QueryClient()
    client.setQueryData(recordQuery({ schemaCode: 'lot', objectId: 'r1' }).queryKey, {
      form: { appCode: 'lock' },
    } as never)
    client.setQueryData(appsQuery.queryKey, [{ code: 'lock', name: '船闸', name_i18n: {}, group_i18n: {} }] as never)
    render(
      <QueryClientProvider client={client}>
        <App>
          <MemoryRouter initialEntries={['/form/detail?schemaCode=lot&key=r1']}>
            <Place />
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )
    expect((await screen.findByRole('button', { name: /船闸/ })).textContent).toBe('船闸')
  })

  it('has a project selector only where there are several projects', async () => {
    draw(<ProjectName />)
    await waitFor(() => expect(server.of('/api/sysConfig/projectConfig/default')).toHaveLength(1))
    expect(screen.queryByRole('combobox')).toBeNull()
    expect(server.of('/api/project/tree')).toEqual([])
    cleanup()
    answers['/api/sysConfig/projectConfig/default'] = {
      ...config,
      single: false,
      multiProjectFlag: true,
      treeModel: 'site',
    }
    answers['/api/project/tree'] = [{ title: '一号', value: '1', key: '1', children: [] }]
    draw(<ProjectName />)
    expect(await screen.findByRole('combobox', { name: '选择项目' })).toBeTruthy()
    await waitFor(() => expect(server.of('/api/project/tree')).toHaveLength(1))
  })

  it('chooses the project that is typed whole, or that the arrows lead to, and never a longer one', async () => {
    const node = (key: string, title: string, children: object[] = []) => ({ key, value: key, title, children })
    answers['/api/sysConfig/projectConfig/default'] = { ...config, multiProjectFlag: true, treeModel: 'site' }
    answers['/api/project/tree'] = [node('1', '三峡银行', [node('2', '银行')]), node('3', '长江'), node('4', '长 江')]
    draw(<ProjectName />)
    const box = await screen.findByRole<HTMLInputElement>('combobox')
    await waitFor(() => expect(server.of('/api/project/tree')).toHaveLength(1))
    const chosen = () => useProject.getState().project?.projectKey
    const press = (key: string, keyCode: number) => fireEvent.keyDown(box, { key, keyCode, which: keyCode })
    const type = (text: string) => {
      if (box.getAttribute('aria-expanded') !== 'true') fireEvent.mouseDown(box)
      fireEvent.change(box, { target: { value: text } })
    }
    for (const [text, key] of [
      ['行', undefined],
      ['银行', '2'],
      ['长', '2'],
      ['ＣＨ', '2'],
      ['长江', '3'],
      ['长　江', '3'],
    ] as const) {
      type(text)
      press('Enter', 13)
      expect(chosen(), text).toBe(key)
    }
    type('行')
    press('ArrowDown', 40)
    press('Enter', 13)
    expect(['1', '2']).toContain(chosen())
    act(() => chooseProject(null))
  })

  it('says why a project configuration failed', async () => {
    answers['/api/sysConfig/projectConfig/default'] = () => refuse(500, 999999, '配置读取失败')
    draw(<ProjectName />)
    expect(await screen.findByText('配置读取失败')).toBeTruthy()
  })
})
