import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App, ConfigProvider } from 'antd'
import type { ComponentType } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import '@/registry/properties'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import type { ActionContext } from '@/sdk/action'
import { fakeServer, refuse } from '@/testing/fake-server'
import { fakeUploads } from '@/testing/fake-upload'
import type { ListController } from '../use-list-controller'
import { type DialogProps, ImportDialog, ImportsDialog } from './import-dialog'
import { JobsImport } from './jobs-import'

vi.mock('@/api/events', () => ({ followEvents: () => () => {} }))
/** Refused rows stand on cards: the grid draws nothing here. */
const phone = vi.hoisted(() => ({ is: false }))
vi.mock('@/lib/use-media', async (original) => ({ ...(await original<object>()), useIsPhone: () => phone.is }))

const ROOT = '/api/runtime/import'
const UPLOADED = {
  fileName: 'u0',
  originalFilename: '工点.xlsx',
  size: 2048,
  sheets: ['一'],
  rows: 40,
  encodings: [] as string[],
  encodingChoices: [] as string[],
}
const PLACE = { schemaCode: 'site', queryCode: 'site' }
const file = (name: string) => new File(['x'], name)
const result = (change: object = {}) => ({
  id: 'i1',
  jobId: 'j1',
  phase: 'write',
  state: 'done',
  done: 0,
  total: 0,
  schemaCode: 'site',
  queryCode: 'site',
  queryField: 'code',
  mode: 'addOrUpdate',
  fileName: 'i1',
  originalFilename: '工点.xlsx',
  userName: '管理员',
  successCount: 0,
  errorCount: 0,
  skippedCount: 0,
  addedCount: 0,
  changedCount: 0,
  unchangedCount: 0,
  undoneCount: 0,
  keptCount: 0,
  undoable: false,
  errorType: 0,
  errorCode: 0,
  errorMsg: '',
  importSize: 4,
  ignoredColumns: [],
  encoding: '',
  hiddenCount: 0,
  mergedCount: 0,
  totalRows: [],
  sheets: [],
  headColumns: [],
  secondImportData: [],
  createdTime: '2026-11-20T08:00:00Z',
  finishedTime: null,
  request: null,
  ...change,
})
const column = (at: number, heading: string, propertyCode: string, candidates: string[] = [], by = 'name') => ({
  column: at,
  name: 'ABCDE'[at],
  heading,
  samples: [`${heading} 1`],
  propertyCode,
  by: propertyCode ? by : '',
  candidates,
})
const property = (propertyCode: string, name: string, required = false) => ({
  propertyCode,
  name,
  name_i18n: null,
  required,
})
const head = (change: object = {}) => ({
  sheets: [{ name: '一', fits: 0, alike: true, errcode: 0, errmsg: '' }],
  sheet: 0,
  encoding: '',
  headRow: 1,
  columns: [column(0, '编号', 'code'), column(1, '面积', 'area')],
  properties: [
    property('code', '编号', true),
    property('area', '面积'),
    property('firm', '单位'),
    property('note', '备注'),
  ],
  missing: [],
  unclear: false,
  kept: false,
  preview: [{ rowNumber: 1, cells: ['编号', '面积'] }],
  ...change,
})
const keeper = {
  propertyCode: 'keeper',
  propertyType: 50,
  name: '负责人',
  name_i18n: null,
  multiple: false,
  childColumns: [],
}
const suggestion = { id: 'u2', name: '林双木', type: 3, detail: '物资部' }
const failed = {
  id: '3',
  rowNumber: 3,
  kind: 'failed',
  objectId: null,
  name: null,
  data: { keeper: '林双木' },
  changes: [],
  errors: [
    {
      propertyCode: 'keeper',
      kind: 'AMBIGUOUS',
      errcode: 305032,
      errmsg: '“林双木”对应多条数据，请选择',
      suggestions: [suggestion],
    },
  ],
}
const half = result({
  errorType: 1,
  errorCount: 1,
  addedCount: 2,
  successCount: 2,
  headColumns: [keeper],
  secondImportData: [failed],
})

describe('the dialog of imports', () => {
  let answers: Record<string, unknown>
  let server: ReturnType<typeof fakeServer>
  let refresh: ReturnType<typeof vi.fn>
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await loadLaterTexts()
    await setLocale('zh')
  })
  beforeEach(() => {
    phone.is = false
    refresh = vi.fn(async () => {})
    const fields = [{ propertyCode: 'code', name: '编号', name_i18n: null, unique: true }]
    answers = {
      '/api/system/config': { zone: 'Asia/Shanghai' },
      [`${ROOT}/list`]: { content: [], totalElements: 0 },
      [`${ROOT}/fields`]: {
        queryFields: fields,
        modes: ['add', 'update', 'addOrUpdate'],
        maxRows: 500_000,
        maxBytes: 1,
      },
      [`${ROOT}/delete_temporary_file`]: null,
      [`${ROOT}/head`]: head(),
      [`${ROOT}/unresolved`]: { unresolvedCount: 1 },
    }
    server = fakeServer(answers)
  })
  afterEach(() => cleanup())

  const draw = (Dialog: ComponentType<DialogProps> = ImportDialog) => {
    const context = { schemaCode: 'site', queryCode: 'site', refresh } as unknown as ActionContext<ListController>
    const onClose = vi.fn()
    const drawn = render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ConfigProvider button={{ autoInsertSpace: false }}>
          <App>
            <MemoryRouter>
              <Dialog context={context} onClose={onClose} />
            </MemoryRouter>
          </App>
        </ConfigProvider>
      </QueryClientProvider>,
    )
    return { ...drawn, onClose }
  }
  const box = async () => {
    await screen.findByText('匹配字段')
    return document.querySelector('input[type="file"]') as HTMLInputElement
  }
  const choose = (at: HTMLInputElement, ...files: File[]) => fireEvent.change(at, { target: { files } })
  const button = (name: string) => screen.getByRole('button', { name }) as HTMLButtonElement

  it('takes one spreadsheet, and says what it does not take', async () => {
    const sent = fakeUploads()
    draw()
    const at = await box()
    choose(at, file('a.pdf'))
    expect(screen.getByText('只能导入 .xlsx、.xls 或 .csv 文件')).toBeTruthy()
    expect(sent).toHaveLength(0)
    choose(at, file('a.xlsx'), file('b.xlsx'))
    expect(screen.getAllByText('一次只能导入一个文件，请先移除当前文件').length).toBeGreaterThan(0)
    expect(sent).toHaveLength(0)
    choose(at, file('a.ods'))
    sent[0]?.refuse(422, 305070, '不支持 .ods 格式，请另存为 .xlsx 后再上传')
    await screen.findByText(/不支持 .ods 格式/)
    expect(button('导入').disabled).toBe(true)
  })

  it('removes the temporary file with the file, and with the dialog', async () => {
    const sent = fakeUploads()
    const { unmount } = draw()
    const at = await box()
    const uploaded = (n: number) =>
      sent[n]?.store({ fileName: `u${n}`, originalFilename: '工点.xlsx', size: 2048, sheets: ['一', '二'], rows: 40 })
    choose(at, file('工点.xlsx'))
    sent[0]?.progress(0.4)
    await screen.findByText('正在上传…')
    uploaded(0)
    await screen.findByText('2.00 KB · 约 40 行')
    expect(screen.getByLabelText('工作表')).toBeTruthy()
    await waitFor(() => expect(button('导入').disabled).toBe(false))
    choose(at, file('b.xlsx'))
    await screen.findByText('一次只能导入一个文件，请先移除当前文件')
    expect(sent, 'the second one is not sent').toHaveLength(1)
    fireEvent.click(button('移除文件 工点.xlsx'))
    await waitFor(() => expect(server.of(`${ROOT}/delete_temporary_file`)[0]?.body).toEqual({ fileName: 'u0' }))
    expect(button('导入').disabled).toBe(true)
    choose(at, file('工点.xlsx'))
    uploaded(1)
    await screen.findByText('2.00 KB · 约 40 行')
    unmount()
    await waitFor(() => expect(server.of(`${ROOT}/delete_temporary_file`)).toHaveLength(2))
  })

  it('asks what unclear columns are before anything begins, and sends what was said', async () => {
    const sent = fakeUploads()
    const asked: object[] = []
    answers[`${ROOT}/head`] = ({ body }: { body: { headRow: number; sheet: number | null } }) => {
      asked.push(body)
      return head({
        sheets: [
          { name: '说明', fits: 0, alike: false, errcode: 305023, errmsg: '工作表“说明”没有“清单”的表头' },
          { name: '清单', fits: 2, alike: true, errcode: 0, errmsg: '' },
        ],
        sheet: body.sheet ?? 1,
        headRow: body.headRow || 3,
        columns: [
          column(0, '编号', 'code'),
          column(1, '名称', '', ['firm', 'note']),
          column(2, '面积(亩)', '', ['area']),
          column(3, '其他', ''),
        ],
        preview: [
          { rowNumber: 1, cells: ['某工程'] },
          { rowNumber: 3, cells: ['编号', '名称', '面积(亩)', '其他'] },
          { rowNumber: 4, cells: ['B-1', '甲', '3'] },
        ],
        unclear: true,
      })
    }
    answers[`${ROOT}/dry_run`] = result({ id: 'c1', phase: 'check', state: 'queued', errorType: null })
    answers[`${ROOT}/progress`] = result({ id: 'c1', phase: 'check', state: 'queued', errorType: null })
    draw()
    choose(await box(), file('工点.xlsx'))
    sent[0]?.store({ ...UPLOADED, sheets: ['说明', '清单'] })
    await screen.findByText(/表头在第 3 行，4 列中识别出 1 列。/)
    expect(screen.getByText('有 2 列需要指定。')).toBeTruthy()
    expect(screen.getAllByText('清单').length, 'the sheet that fits').toBeGreaterThan(0)
    fireEvent.click(button('先检查'))
    await screen.findByText('某工程')
    expect(server.of(`${ROOT}/dry_run`)).toHaveLength(0)
    expect(button('导入').disabled).toBe(true)
    const pick = async (label: string, option: string) => {
      fireEvent.mouseDown(screen.getByLabelText(label))
      const list = await waitFor(() => {
        const found = [...document.querySelectorAll('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')].at(-1)
        expect(found).toBeTruthy()
        return found as HTMLElement
      })
      fireEvent.click(within(list).getByText(option))
    }
    await pick('名称', '单位')
    await screen.findByText('有 1 列需要指定。')
    await pick('面积(亩)', '编号')
    await screen.findByText('多列指定为同一数据项：编号')
    expect(button('导入').disabled).toBe(true)
    await pick('面积(亩)', '不导入')
    await waitFor(() => expect(button('先检查').disabled).toBe(false))
    await pick('编号', '不导入')
    await screen.findByText('没有列对应必填项：编号。新增数据时会失败。')
    await pick('编号', '编号')
    fireEvent.click(button('先检查'))
    await waitFor(() => expect(server.of(`${ROOT}/dry_run`)).toHaveLength(1))
    expect(server.of(`${ROOT}/dry_run`)[0]?.body).toMatchObject({
      sheet: 1,
      headRow: 3,
      columns: [
        { column: 0, propertyCode: 'code' },
        { column: 1, propertyCode: 'firm' },
      ],
    })
    expect(asked.at(-1)).toMatchObject({ fileName: 'u0', sheet: null, headRow: 0, encoding: '', queryField: 'code' })
  })

  it('reads another row, sheet or encoding on request, and proposes what was said the last time', async () => {
    const sent = fakeUploads()
    const asked: Record<string, unknown>[] = []
    answers[`${ROOT}/head`] = ({ body }: { body: Record<string, unknown> }) => {
      asked.push(body)
      return head({
        encoding: body.encoding || 'gb18030',
        headRow: body.headRow || 1,
        columns: [column(0, '代号', 'code', [], 'kept'), column(1, '面积', 'area')],
        kept: true,
        preview: [
          { rowNumber: 1, cells: ['代号', '面积'] },
          { rowNumber: 2, cells: ['B-1', '3'] },
        ],
      })
    }
    answers[`${ROOT}/start`] = result({ state: 'queued', errorType: null })
    answers[`${ROOT}/progress`] = result({ state: 'queued', errorType: null })
    draw()
    choose(await box(), file('工点.csv'))
    sent[0]?.store({ ...UPLOADED, encodings: ['gb18030'], encodingChoices: ['utf-8', 'gb18030', 'big5'] })
    await screen.findByText(/部分列沿用上次的指定。/)
    fireEvent.click(button('指定列'))
    await screen.findByText('沿用上次的指定')
    fireEvent.mouseDown(screen.getByLabelText('文件编码'))
    fireEvent.click(await screen.findByText('BIG5'))
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ encoding: 'big5', headRow: 0 }))
    fireEvent.mouseDown(screen.getByLabelText('表头所在行'))
    fireEvent.click(await screen.findByText('第 2 行：B-1、3'))
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ encoding: 'big5', headRow: 2 }))
    await waitFor(() => expect(button('导入').disabled).toBe(false))
    fireEvent.click(button('返回'))
    await screen.findByText(/表头在第 2 行/)
    fireEvent.click(button('导入'))
    await waitFor(() => expect(server.of(`${ROOT}/start`)).toHaveLength(1))
    expect(server.of(`${ROOT}/start`)[0]?.body).toMatchObject({
      encoding: 'big5',
      headRow: 2,
      columns: [
        { column: 0, propertyCode: 'code' },
        { column: 1, propertyCode: 'area' },
      ],
    })
  })

  it('checks, imports, tells the end and leaves the file to the import', async () => {
    const sent = fakeUploads()
    answers[`${ROOT}/dry_run`] = result({ id: 'c1', phase: 'check', state: 'queued', errorType: null })
    let checked = result({ id: 'c1', phase: 'check', state: 'queued', ahead: 2, errorType: null, done: 0, total: 40 })
    answers[`${ROOT}/progress`] = ({ search }: { search: URLSearchParams }) =>
      search.get('id') === 'c1' ? checked : result({ addedCount: 2, successCount: 2, undoable: true })
    answers[`${ROOT}/start`] = result({ state: 'queued', errorType: null })
    const change = { name: '面积', name_i18n: null, type: 2, beforeValue: '80', afterValue: '120' }
    const diff = { ...failed, kind: 'changed', name: '上游围堰', errors: [], changes: [change] }
    answers[`${ROOT}/rows`] = { content: [diff], totalElements: 1 }
    const { unmount } = draw()
    choose(await box(), file('工点.xlsx'))
    sent[0]?.store({ fileName: 'u0', originalFilename: '工点.xlsx', size: 2048, sheets: ['一'], rows: 40 })
    await waitFor(() => expect(button('先检查').disabled).toBe(false))
    fireEvent.click(button('先检查'))
    await screen.findByText('排队中，前面还有 2 个任务')
    checked = result({ id: 'c1', phase: 'check', state: 'running', errorType: null, done: 10, total: 40 })
    await screen.findByText('正在检查，10 / 40 行', undefined, { timeout: 5000 })
    expect(server.of(`${ROOT}/dry_run`)[0]?.body).toEqual({
      schemaCode: 'site',
      queryCode: 'site',
      fileName: 'u0',
      originalFilename: '工点.xlsx',
      languageType: 'zh',
      mode: 'addOrUpdate',
      queryField: 'code',
      sheet: 0,
      clearEmpty: false,
      replaceLines: false,
    })
    checked = result({ id: 'c1', phase: 'check', changedCount: 1 })
    await screen.findByText('上游围堰', undefined, { timeout: 5000 })
    expect(screen.queryByText(/将删除/)).toBeNull()
    expect(document.querySelector('del')?.textContent).toBe('80')
    expect(document.querySelector('ins')?.textContent).toBe('120')
    expect(refresh, 'nothing was written').not.toHaveBeenCalled()
    fireEvent.click(button('导入'))
    await screen.findByText('导入成功', { selector: 'strong' })
    expect(refresh).toHaveBeenCalledTimes(1)
    expect(button('撤销此次导入')).toBeTruthy()
    unmount()
    expect(server.of(`${ROOT}/delete_temporary_file`)).toHaveLength(0)
  })

  it('shows first which rows of sub-tables an import would remove, and counts numbers that it takes as shown', async () => {
    const sent = fakeUploads()
    answers[`${ROOT}/dry_run`] = result({
      id: 'c1',
      phase: 'check',
      changedCount: 1,
      removedLines: 2,
      roundedNumbers: 3,
    })
    const row = (kind: string, label: string, before: string | null, after: string | null) => ({
      id: label,
      kind,
      was: 1,
      place: null,
      label,
      changes: [
        {
          propertyCode: 'points.value',
          name: '数值',
          name_i18n: null,
          type: 2,
          beforeValue: before,
          afterValue: after,
        },
      ],
    })
    const change = {
      propertyCode: 'points',
      name: '测点',
      name_i18n: null,
      type: 9,
      beforeValue: null,
      afterValue: '3 行有变化',
      rows: [row('delete', '左', '1', null), row('delete', '右', '2', null), row('create', '中', null, '7')],
    }
    const diff = { ...failed, kind: 'removed', name: '上游围堰', errors: [], changes: [change] }
    answers[`${ROOT}/rows`] = { content: [diff], totalElements: 1 }
    draw()
    choose(await box(), file('工点.xlsx'))
    sent[0]?.store({ fileName: 'u0', originalFilename: '工点.xlsx', size: 2048, sheets: ['一'], rows: 40 })
    await waitFor(() => expect(button('先检查').disabled).toBe(false))
    fireEvent.click(button('先检查'))
    await screen.findByText('将删除 2 行子表数据，请先核对。', undefined, { timeout: 5000 })
    await screen.findByText('上游围堰')
    expect(server.of(`${ROOT}/rows`)[0]?.search.get('kind')).toBe('removed')
    expect(screen.getByText('3 个数字按表格中显示的值导入，省略了未显示的小数。')).toBeTruthy()
    expect([...document.querySelectorAll('del')].map((one) => one.textContent)).toEqual(['1', '2'])
    expect([...document.querySelectorAll('ins')].map((one) => one.textContent)).toEqual(['（空）', '（空）', '7'])
  })

  it('finds what runs, when it is opened again', async () => {
    const running = result({ state: 'running', errorType: null, done: 20, total: 40 })
    answers[`${ROOT}/list`] = { content: [running], totalElements: 1 }
    answers[`${ROOT}/progress`] = running
    answers['/api/jobs/j1/cancel'] = null
    draw()
    await screen.findByText('正在导入，20 / 40 行')
    fireEvent.click(button('停止'))
    await waitFor(() => expect(server.of('/api/jobs/j1/cancel')).toHaveLength(1))
  })

  it('holds the import back until a person is chosen, and reloads with what is refused again', async () => {
    phone.is = true
    answers[`${ROOT}/list`] = { content: [half], totalElements: 1 }
    answers[`${ROOT}/progress`] = half
    answers[`${ROOT}/rows`] = () => ({ content: [failed], totalElements: 1 })
    answers[`${ROOT}/edit`] = ({ body }: { body: { rows: { data: object }[] } }) => [
      { ...failed, data: body.rows[0]?.data, errors: [] },
    ]
    answers[`${ROOT}/second`] = () => refuse(422, 303030, '仍有 1 行需要修改', { ...half, addedCount: 3 })
    draw(ImportsDialog)
    fireEvent.click(await screen.findByRole('button', { name: '工点.xlsx' }))
    fireEvent.click(await screen.findByRole('button', { name: '修改错误数据' }))
    await screen.findByText('还有 1 个人员或部门需要选择')
    expect(button('确认导入').disabled).toBe(true)
    fireEvent.click(await screen.findByRole('button', { name: /林双木\s*物资部/ }))
    await waitFor(() => expect(button('确认导入').disabled).toBe(false))
    await waitFor(() => expect(server.of(`${ROOT}/edit`)).toHaveLength(1))
    expect(server.of(`${ROOT}/edit`)[0]?.body).toEqual({
      id: 'i1',
      rows: [{ id: '3', data: { keeper: [suggestion] } }],
    })
    fireEvent.click(button('确认导入'))
    await screen.findByText('仍有 1 行需要修改')
    expect(button('确认导入'), 'the dialog stays').toBeTruthy()
    expect(refresh, 'some of them were written').toHaveBeenCalled()
  })

  it('counts what waits in rows that were not shown, and replaces in all of them', async () => {
    phone.is = true
    answers[`${ROOT}/list`] = { content: [half], totalElements: 1 }
    answers[`${ROOT}/progress`] = half
    answers[`${ROOT}/rows`] = () => ({ content: [failed], totalElements: 60 })
    answers[`${ROOT}/edit`] = ({ body }: { body: { rows: { data: object }[] } }) => [
      { ...failed, data: body.rows[0]?.data, errors: [] },
    ]
    answers[`${ROOT}/unresolved`] = { unresolvedCount: 3 }
    answers[`${ROOT}/replace`] = () => {
      answers[`${ROOT}/unresolved`] = { unresolvedCount: 0 }
      return { changedCount: 60 }
    }
    draw(ImportsDialog)
    fireEvent.click(await screen.findByRole('button', { name: '工点.xlsx' }))
    fireEvent.click(await screen.findByRole('button', { name: '修改错误数据' }))
    await screen.findByText('还有 3 个人员或部门需要选择')
    fireEvent.click(await screen.findByRole('button', { name: /林双木\s*物资部/ }))
    await screen.findByText('还有 2 个人员或部门需要选择')
    await waitFor(() => expect(server.of(`${ROOT}/edit`)).toHaveLength(1))
    await screen.findByText('还有 2 个人员或部门需要选择')
    expect(button('确认导入').disabled).toBe(true)
    fireEvent.click(button('批量替换'))
    expect((await screen.findByLabelText<HTMLInputElement>('全部 60 行')).checked).toBe(true)
    expect(screen.getByLabelText<HTMLInputElement>('所选 0 行').disabled).toBe(true)
    fireEvent.mouseDown(screen.getByLabelText('替换列'))
    fireEvent.click(await screen.findByText('负责人', { selector: '.ant-select-item-option-content' }))
    fireEvent.click(button('替换'))
    await waitFor(() => expect(button('确认导入').disabled).toBe(false))
    expect(server.of(`${ROOT}/replace`)[0]?.body).toEqual({
      id: 'i1',
      rows: [],
      all: true,
      conditions: [],
      propertyCode: 'keeper',
      value: '',
    })
  })

  it('shows 20 refused rows of a page, hands out the file of errors, and skips rows after a question', async () => {
    phone.is = true
    let left = [failed]
    answers[`${ROOT}/list`] = { content: [half], totalElements: 1 }
    answers[`${ROOT}/progress`] = half
    answers[`${ROOT}/rows`] = () => ({ content: left, totalElements: left.length * 45 })
    answers[`${ROOT}/skip`] = () => {
      left = []
      return half
    }
    answers[`${ROOT}/error_result`] = () => refuse(404, 305006, '导入记录不存在或无权查看')
    draw(ImportsDialog)
    fireEvent.click(await screen.findByRole('button', { name: '工点.xlsx' }))
    fireEvent.click(await screen.findByRole('button', { name: '修改错误数据' }))
    await screen.findByText('共45条')
    const pages = () => server.of(`${ROOT}/rows`).map(({ search }) => `${search.get('page')} ${search.get('size')}`)
    expect(pages().at(-1)).toBe('0 20')
    fireEvent.mouseDown(document.querySelector('.ant-pagination .ant-select [role="combobox"]') as HTMLElement)
    const sizes = () => [...document.querySelectorAll<HTMLElement>('.ant-select-item-option')]
    const numbers = () => sizes().map((one) => Number.parseInt(one.textContent ?? '', 10))
    await waitFor(() => expect(numbers()).toEqual([10, 20, 50, 100]))
    fireEvent.click(sizes()[2] as HTMLElement)
    await waitFor(() => expect(pages().at(-1)).toBe('0 50'))
    fireEvent.click(screen.getByRole('button', { name: '错误文件' }))
    await screen.findByText('导入记录不存在或无权查看')
    expect(server.of(`${ROOT}/error_result`)[0]?.search.get('fileName')).toBe('i1')
    fireEvent.click(button('跳过'))
    const [question] = await screen.findAllByText('跳过全部 45 行？')
    expect(server.of(`${ROOT}/skip`)).toEqual([])
    const dialog = question?.closest('[role="dialog"]') as HTMLElement
    fireEvent.click(within(dialog).getByRole('button', { name: '跳过' }))
    await waitFor(() => expect(server.of(`${ROOT}/skip`)[0]?.body).toEqual({ id: 'i1', rows: [], all: true }))
  })

  it('does not believe an answer that was asked for before a correction', async () => {
    phone.is = true
    answers[`${ROOT}/list`] = { content: [half], totalElements: 1 }
    answers[`${ROOT}/progress`] = half
    answers[`${ROOT}/rows`] = () => ({ content: [failed], totalElements: 1 })
    answers[`${ROOT}/edit`] = ({ body }: { body: { rows: { data: object }[] } }) => [
      { ...failed, data: body.rows[0]?.data, errors: [] },
    ]
    let late = () => {}
    const first = new Promise((resolve) => {
      late = () => resolve({ unresolvedCount: 1 })
    })
    answers[`${ROOT}/unresolved`] = () => (server.of(`${ROOT}/unresolved`).length > 1 ? { unresolvedCount: 0 } : first)
    draw(ImportsDialog)
    fireEvent.click(await screen.findByRole('button', { name: '工点.xlsx' }))
    fireEvent.click(await screen.findByRole('button', { name: '修改错误数据' }))
    await screen.findByText('还有 1 个人员或部门需要选择')
    fireEvent.click(await screen.findByRole('button', { name: /林双木\s*物资部/ }))
    await waitFor(() => expect(server.of(`${ROOT}/unresolved`)).toHaveLength(2))
    late()
    await first
    await waitFor(() => expect(button('确认导入').disabled).toBe(false))
  })

  it('imports what a check found that somebody opens later', async () => {
    const asked = { fileName: 'u0', originalFilename: '工点.xlsx', ...PLACE, mode: 'add', queryField: '', sheet: 1 }
    const check = result({ id: 'c1', phase: 'check', errorCount: 2, headColumns: [keeper], request: asked })
    answers[`${ROOT}/progress`] = ({ search }: { search: URLSearchParams }) =>
      search.get('jobId') === 'j9' || search.get('id') === 'c1' ? check : result({ addedCount: 2, successCount: 2 })
    answers[`${ROOT}/rows`] = { content: [failed], totalElements: 1 }
    answers[`${ROOT}/start`] = result({ state: 'queued', errorType: null })
    draw((props) => <JobsImport jobId="j9" onClose={props.onClose} />)
    await screen.findByText('仅列出前 1 行，共 2 行。导入时处理全部行。')
    expect(screen.getByText('林双木', { selector: 'td' }), 'a row is called by its cells').toBeTruthy()
    fireEvent.click(await screen.findByRole('button', { name: '导入' }))
    await screen.findByText('导入成功', { selector: 'strong' })
    expect(server.of(`${ROOT}/start`)[0]?.body).toEqual(asked)
  })

  it('asks before it takes an import back, and lists what it could not', async () => {
    const ended = result({ addedCount: 2, changedCount: 1, undoable: true })
    const undone = result({ phase: 'undo', undoneCount: 2, keptCount: 1 })
    answers[`${ROOT}/list`] = { content: [ended], totalElements: 1 }
    answers[`${ROOT}/undo`] = result({ phase: 'undo', jobId: 'j2', state: 'queued', errorType: null })
    answers[`${ROOT}/progress`] = { ...undone, jobId: 'j2' }
    const kept = {
      ...failed,
      kind: 'kept',
      name: '下闸首',
      errors: [{ ...failed.errors[0], propertyCode: '', errmsg: '此后已被修改' }],
    }
    answers[`${ROOT}/rows`] = { content: [kept], totalElements: 1 }
    draw(ImportsDialog)
    fireEvent.click(await screen.findByRole('button', { name: '撤销此次导入 工点.xlsx' }))
    const question = await screen.findByText('将删除新增的 2 条，并恢复更新的 1 条。此后被修改过的数据会保留并列出。')
    expect(server.of(`${ROOT}/undo`)).toHaveLength(0)
    const dialog = question.closest('[role="dialog"]') as HTMLElement
    fireEvent.click(within(dialog).getByRole('button', { name: '撤销此次导入' }))
    await screen.findByText('此后已被修改', undefined, { timeout: 5000 })
    expect(refresh).toHaveBeenCalledTimes(1)
  })
})
