import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ListConfig, Row } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import type { ActionContext } from '@/sdk/action'
import { MESSAGES } from '@/sdk/feedback'
import { fakeServer, refuse } from '@/testing/fake-server'
import { BatchDialog } from '../batch/batch-dialog'
import type { ListController } from '../use-list-controller'
import { useDelete } from './use-delete'

const CHECK = '/api/runtime/query/delete_check'
const DELETE = '/api/runtime/query/delete'

const config = {
  schemaCode: 'part',
  queryCode: 'parts',
  modelName: '零件',
  modelName_i18n: {},
  recycle: true,
  queryColumns: [{ propertyCode: 'name', propertyType: 0, name: '名称', name_i18n: {}, visible: true }],
  queryPresentation: { presentationType: 'table', fixedLeftColumns: [], fixedRightColumns: [] },
} as unknown as ListConfig
const controller = {
  config,
  request: { schemaCode: 'part', queryCode: 'parts' },
  store: { getState: () => ({ all: false }) },
  afterDelete: vi.fn(),
} as unknown as ListController

const rows = Array.from({ length: 4 }, (_, i) => ({
  id: String(i),
  data: { name: `零件 ${i}` },
  workflowInstanceId: i === 3 ? 'instance' : null,
})) as unknown as Row[]
const checked = (codes: number[]) =>
  codes.map((resultCode, i) => ({ objectId: String(i), relativeModel: null, resultCode, resultDesc: `原因 ${i}` }))

let remove: ReturnType<typeof useDelete>
function Page() {
  remove = useDelete(controller)
  return null
}

function show(answers: Record<string, unknown>, page = <Page />) {
  const server = fakeServer({
    '/api/system/config': { name: '', timezone: 'UTC', version: '', dev: false, digest: '' },
    ...answers,
  })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App message={MESSAGES}>
        <MemoryRouter>{page}</MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
  return server
}
const press = async (name: RegExp) => fireEvent.click(await screen.findByRole('button', { name }))
const asked = (title: string) => screen.findByText(title, { selector: '.ant-modal-confirm-title' })
const message = (kind: string) => document.querySelector(`.ant-message-${kind}`)?.textContent

describe('what a deletion says', () => {
  beforeAll(async () => {
    await startI18n()
    await setLocale('zh')
    await loadAllTexts()
  })
  afterEach(() => {
    cleanup()
    document.body.innerHTML = ''
    vi.unstubAllGlobals()
  })

  it('before it, of each sort that the check finds', async () => {
    const { of } = show({ [CHECK]: checked([1000, 1001, 1002, 1003]) })
    void remove(rows)
    await asked('删除 4 条零件？')
    for (const words of ['业务数据 1 条', '未关联的流程数据 1 条', '父流程数据 1 条', '子流程数据 1 条'])
      expect(screen.getByText(words)).toBeTruthy()
    expect(screen.getByText('删除后可以在回收站中恢复。')).toBeTruthy()
    await press(/取\s*消/)
    expect(of(DELETE)).toEqual([])
  })

  it('where nothing but plain records goes, no more than the question', async () => {
    show({ [CHECK]: checked([1000, 1000]) })
    void remove(rows.slice(0, 2))
    await asked('删除 2 条零件？')
    expect(screen.queryByText(/业务数据/)).toBeNull()
  })

  it('of data of workflows that may not go: the reason beside the name, and nothing to confirm', async () => {
    const { of } = show({ [CHECK]: checked([1000, 1000, 1000, 1004]) })
    void remove(rows)
    await asked('存在不可删除的流程数据')
    expect(screen.getByText('零件 3').closest('li')?.textContent).toContain('原因 3')
    expect(screen.queryByText('零件 0')).toBeNull()
    await press(/关\s*闭/)
    expect(of(DELETE)).toEqual([])
  })

  it('of plain records that may not go, in other words', async () => {
    show({ [CHECK]: checked([1004, 1000]) })
    void remove(rows.slice(0, 2))
    await asked('这些记录无法删除')
    expect(screen.getByText('零件 0').closest('li')?.textContent).toContain('原因 0')
  })

  it('of a check that answers -1: its words, as a warning', async () => {
    show({ [CHECK]: () => refuse(409, -1, '流程服务未就绪') })
    void remove(rows)
    await waitFor(() => expect(message('warning')).toBe('流程服务未就绪'))
  })

  it.each([
    [550006, '数据正被他人修改', '数据正被他人修改'],
    [999999, '系统错误', '删除失败：系统错误'],
  ])('of a deletion that %d refuses', async (code, words, said) => {
    show({ [CHECK]: checked([1000]), [DELETE]: () => refuse(409, code, words) })
    void remove(rows.slice(0, 1))
    await asked('删除 1 条零件？')
    await press(/删\s*除/)
    await waitFor(() => expect(message('error')).toBe(said))
  })

  it('of a model that is gone meanwhile: the dialogs say so instead of waiting', async () => {
    const gone = () => refuse(404, 401001, '没有模型“part”')
    const counts = { total: 1, refused: 0, workflow: 0 }
    show(
      {
        '/api/runtime/batch/fields': gone,
        '/api/runtime/batch/log': gone,
        '/api/runtime/query/bulk_check': counts,
      },
      <BatchDialog
        context={{ list: controller, ids: ['0'], all: false } as ActionContext<ListController>}
        onClose={() => {}}
      />,
    )
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('没有模型“part”'))
    await press(/修改记录/)
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('没有模型“part”'))
  })
})
