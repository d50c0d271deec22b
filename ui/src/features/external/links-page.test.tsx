import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer, refuse } from '@/testing/fake-server'
import { LinksPage } from './links-page'

const form = (code: string, name: string, open: number) => ({
  code,
  name,
  name_i18n: { en: `${code} form` },
  schemaCode: 'complaint',
  modelName: name,
  modelName_i18n: { en: `${code} form` },
  open,
  adds: true,
})
const link = (id: string, label: string, more: object = {}) => ({
  id,
  label,
  createdTime: '2026-11-20T08:00:00Z',
  expiresTime: '2026-12-20T08:00:00Z',
  most: 0,
  used: 3,
  objectId: null,
  objectName: null,
  ...more,
})

describe('external links', () => {
  let answers: Record<string, unknown>
  let server: ReturnType<typeof fakeServer>
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await loadLaterTexts()
  })
  beforeEach(async () => {
    await setLocale('zh')
    answers = {
      '/api/system/config': { timezone: 'Asia/Shanghai' },
      '/api/external/forms': { content: [form('complaint', '投诉', 2)] },
      '/api/external/links': ({ body }: { body: unknown }) =>
        body
          ? { address: 'https://lock.example/external-link/complaint#text' }
          : { content: [link('1', '一号门'), link('2', '二号门', { most: 3 })] },
      '/api/external/links/withdraw': null,
    }
    server = fakeServer(answers)
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })
  const draw = (at = '/external-links') =>
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <MemoryRouter initialEntries={[at]}>
            <LinksPage />
          </MemoryRouter>
        </App>
      </QueryClientProvider>,
    )

  it('shows the links of the only form, and which is used up', async () => {
    draw()
    expect(await screen.findByRole('heading', { name: '投诉' })).toBeTruthy()
    await screen.findByText('二号门')
    const [open, full] = screen.getAllByRole('listitem')
    expect(open?.textContent).toContain('已新增 3 条')
    expect(open?.textContent).not.toContain('已达上限')
    expect(full?.textContent).toMatch(/已达上限.*已新增 3 条，最多 3 条/)
    expect(screen.queryByRole('combobox')).toBeNull()
  })

  it('makes one, shows its address and its picture this once, and reads the list again', async () => {
    draw()
    fireEvent.click(await screen.findByRole('button', { name: '新建链接' }))
    fireEvent.click(screen.getByRole('button', { name: /^创\s*建$/ }))
    expect(screen.getByRole('alert').textContent).toBe('请填写用途')
    fireEvent.change(screen.getByLabelText(/用途/), { target: { value: ' 三号门 ' } })
    fireEvent.change(screen.getByLabelText('最多新增的记录数'), { target: { value: '5' } })
    const before = server.of('/api/external/forms').length
    fireEvent.click(screen.getByRole('button', { name: /^创\s*建$/ }))
    expect(await screen.findByDisplayValue('https://lock.example/external-link/complaint#text')).toBeTruthy()
    expect(screen.getByLabelText('链接的二维码')).toBeTruthy()
    expect(server.of('/api/external/links').find((call) => call.body)?.body).toEqual({
      form: 'complaint',
      label: '三号门',
      days: 30,
      most: 5,
    })
    await waitFor(() => expect(server.of('/api/external/forms').length).toBeGreaterThan(before))
    fireEvent.click(screen.getByRole('button', { name: /^关\s*闭$/ }))
    expect(screen.queryByLabelText('链接地址')).toBeNull()
  })

  it('withdraws one after a question', async () => {
    draw()
    fireEvent.click(await screen.findByRole('button', { name: '收回“二号门”' }))
    expect(server.of('/api/external/links/withdraw')).toHaveLength(0)
    fireEvent.click(await screen.findByRole('button', { name: /^收\s*回$/ }))
    await waitFor(() =>
      expect(server.of('/api/external/links/withdraw')[0]?.body).toEqual({ form: 'complaint', id: '2' }),
    )
  })

  it('says why there is no form, in English', async () => {
    answers['/api/external/forms'] = { content: [] }
    await setLocale('en')
    draw()
    expect(await screen.findByText('No form allows links')).toBeTruthy()
  })

  it('shows which record a link shows, and makes none without a record', async () => {
    answers['/api/external/forms'] = { content: [{ ...form('drawing', '图纸', 2), adds: false }] }
    answers['/api/external/links'] = {
      content: [
        link('1', '设计院', { objectId: 'r1', objectName: '平面布置图', used: 1 }),
        link('2', '业主', { objectName: '' }),
      ],
    }
    draw()
    const shown = await screen.findByRole('link', { name: '查看记录“平面布置图”' })
    expect(shown.getAttribute('href')).toContain('key=r1')
    const [first, second] = screen.getAllByRole('listitem')
    expect(first?.textContent).toContain('已打开 1 次')
    expect(second?.textContent).toContain('您无权查看或已删除')
    expect(screen.queryByRole('button', { name: '新建链接' })).toBeNull()
  })

  it('begins with the form that the address names', async () => {
    answers['/api/external/forms'] = { content: [form('complaint', '投诉', 2), form('visit', '来访登记', 0)] }
    draw('/external-links?form=visit')
    expect(await screen.findByRole('heading', { name: '来访登记' })).toBeTruthy()
    expect(server.of('/api/external/links')[0]?.search.get('form')).toBe('visit')
  })

  it('says what failed and tries again', async () => {
    answers['/api/external/links'] = () => refuse(503, 100060, '数据库暂时不可用')
    draw()
    const again = await screen.findByRole('button', { name: /重\s*试/ })
    answers['/api/external/links'] = { content: [] }
    fireEvent.click(again)
    expect(await screen.findByText('此表单暂无有效链接')).toBeTruthy()
  })
})
