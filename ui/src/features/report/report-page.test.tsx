import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { type Call, fakeServer, refuse } from '@/testing/fake-server'
import { ReportPage } from './report-page'
import { group, measure, row, setOf } from './testing'

const GET = '/api/runtime/report/get'
const DATA = '/api/runtime/report/data'
const EXPORT = '/api/runtime/report/export'

const set = setOf(
  [group('party')],
  [measure('amount', { unit: '元', scale: 2 }), measure('growth', { sumType: 'compare' })],
)
const report = {
  code: 'income',
  name: '投资',
  name_i18n: { en: 'Investment' },
  exports: ['picture'],
  filters: [
    {
      propertyCode: 'result',
      propertyType: 14,
      name: '结果',
      name_i18n: { en: 'Result' },
      queryFilterType: 'In',
      operators: ['In', 'NotIn', 'IsNull'],
      visible: true,
      options: [{ code: 'OK', name: '合格', name_i18n: { en: 'Passed' } }],
    },
  ],
  dataSets: [set, { ...set, code: 'unseen' }, { ...set, code: 'other' }],
  charts: [
    { code: 'table', chartType: 'pivot', dataSet: 's', rows: ['party'], measures: ['amount'], name: '明细' },
    { code: 'sum', chartType: 'figure', dataSet: 's', measure: 'amount', compare: 'growth' },
    { code: 'broken', chartType: 'bar', dataSet: 'other', category: 'party', series: ['amount'], name: '坏' },
    { code: 'odd', chartType: 'hologram', dataSet: 's', name: '怪' },
    { code: 'lost', chartType: 'pie', dataSet: 's', category: 'floor', measure: 'amount', name: '缺' },
  ],
}
const answer = (rows = [row(['A'], '1234.5', '0.1'), row(['B'], '0.25', null)], more = {}) => ({
  dataSets: [
    { code: 's', rows, groups: rows.length, truncated: false, error: null, ...more },
    { code: 'other', rows: [], groups: null, truncated: false, error: { code: 305001, message: '统计超时' } },
  ],
})

describe('the page of a report', () => {
  const open = (address = '/application/lock/application-report/income?code=month') => {
    const router = createMemoryRouter(
      [
        { path: '/application/:appCode/application-report/:reportCode', element: <ReportPage /> },
        { path: '*', element: <p>a list</p> },
      ],
      { initialEntries: [address] },
    )
    render(
      <QueryClientProvider client={new QueryClient()}>
        <App>
          <RouterProvider router={router} />
        </App>
      </QueryClientProvider>,
    )
    return router
  }
  /** A chart by its code, once it has an answer. */
  const card = async (code: string) => {
    const found = await waitFor(() => {
      const section = document.querySelector<HTMLElement>(`[data-chart="${code}"]`)
      if (!section || section.querySelector('.ant-skeleton')) throw new Error('no answer yet')
      return section
    })
    return within(found)
  }
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await loadLaterTexts()
    await setLocale('en')
  })
  afterEach(cleanup)

  it('asks once for the data sets of its charts, and writes figures exactly', async () => {
    const server = fakeServer({ [GET]: report, [DATA]: answer() })
    open()
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Investment')
    const sum = await card('sum')
    expect(sum.getByText('1,234.75 元')).toBeTruthy()
    expect((await card('table')).getAllByRole('row').length).toBeGreaterThan(0)
    expect((await card('table')).queryByRole('button', { name: 'Show all' }), 'all rows are there').toBeNull()
    expect(server.of(DATA).map(({ body }) => body)).toEqual([
      { reportCode: 'income', dataSets: ['s', 'other'], filters: [] },
    ])
  })

  it('says per chart what is wrong with it', async () => {
    fakeServer({ [GET]: report, [DATA]: answer() })
    open()
    expect((await card('broken')).getByText('统计超时')).toBeTruthy()
    expect((await card('odd')).getByText(/hologram/)).toBeTruthy()
    expect((await card('lost')).getByText(/“floor”/)).toBeTruthy()
  })

  it.each([
    ['The first 2 of 34 groups', { groups: 34 }],
    ['Too many groups: only the first 100,000 are counted', { groups: null, truncated: true }],
  ])('says of how many groups a chart is: %s', async (text, more) => {
    fakeServer({ [GET]: report, [DATA]: answer(undefined, more) })
    open()
    expect((await card('sum')).getByText(text)).toBeTruthy()
  })

  it('says nothing of groups that one row stands for', async () => {
    const rest = row([{ value: null, text: '', others: true }], '1', null)
    fakeServer({ [GET]: report, [DATA]: answer([row(['A'], '1', null), rest], { groups: 34 }) })
    open()
    expect((await card('sum')).queryByText(/34/)).toBeNull()
  })

  it('takes filters from its address, and asks again when they change; what was there stays until then', async () => {
    let answered = () => {}
    const later = new Promise<void>((resolve) => {
      answered = resolve
    })
    const server = fakeServer({
      [GET]: report,
      [DATA]: async ({ body }: Call) => {
        const { filters } = body as { filters: { queryFilterType?: string }[] }
        if (filters.length === 1) return answer()
        await later
        return answer([row(['C'], '7', null)])
      },
    })
    const router = open('/application/lock/application-report/income?code=month&f.result=OK')
    await card('table')
    expect(server.of(DATA)[0]?.body).toMatchObject({
      filters: [{ propertyCode: 'result', propertyValue: 'OK', queryFilterType: 'In' }],
    })
    fireEvent.click(screen.getByRole('button', { name: 'Reset' }))
    await waitFor(() => expect(server.of(DATA)).toHaveLength(2))
    expect(router.state.location.search).toBe('?code=month')
    expect((await card('table')).getByText('A')).toBeTruthy()
    expect(document.querySelector('[data-stale]')).toBeTruthy()
    answered()
    expect(await screen.findByText('C')).toBeTruthy()
    expect(document.querySelector('[data-stale]')).toBeNull()
  })

  it('opens the list behind a cell', async () => {
    fakeServer({ [GET]: report, [DATA]: answer() })
    const router = open('/application/lock/application-report/income')
    fireEvent.click((await card('table')).getByRole('link', { name: '1,234.50' }))
    await screen.findByText('a list')
    expect(`${router.state.location.pathname}${router.state.location.search}`).toBe(
      '/application/lock/application-list/lot?behind=income%2Fs%2Famount&figure=%E6%98%8E%E7%BB%86&f.party=A&o.party=Equal',
    )
  })

  it('shows any chart as a table', async () => {
    fakeServer({ [GET]: report, [DATA]: answer() })
    open()
    const sum = await card('sum')
    fireEvent.click(sum.getByRole('button', { name: 'Actions of “amount, growth”' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'View as table' }))
    expect(sum.getAllByRole('columnheader').map((one) => one.textContent)).toEqual(['amount (元)', 'growth'])
  })

  it('has the server write files with the filters that are in force', async () => {
    const server = fakeServer({
      [GET]: { ...report, exports: ['xlsx', 'pdf'] },
      [DATA]: answer(),
      [EXPORT]: () => refuse(422, 305001, '统计超时'),
    })
    open('/application/lock/application-report/income?f.result=OK')
    const sum = await card('sum')
    const filters = [{ propertyCode: 'result', propertyType: 14, propertyValue: 'OK', queryFilterType: 'In' }]
    fireEvent.click(screen.getByRole('button', { name: 'Export' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Export as PDF' }))
    await waitFor(() => expect(server.of(EXPORT)).toHaveLength(1))
    expect(server.of(EXPORT)[0]?.body).toEqual({ reportCode: 'income', fileType: 'pdf', filters })
    expect(await screen.findByText('统计超时')).toBeTruthy()
    fireEvent.click(sum.getByRole('button', { name: 'Actions of “amount, growth”' }))
    const items = await screen.findAllByRole('menuitem', { name: 'Export as spreadsheet (xlsx)' })
    fireEvent.click(items.at(-1) as HTMLElement)
    await waitFor(() => expect(server.of(EXPORT)).toHaveLength(2))
    expect(server.of(EXPORT)[1]?.body).toEqual({ reportCode: 'income', fileType: 'xlsx', filters, charts: ['sum'] })
    expect(screen.queryByRole('menuitem', { name: 'Save as picture' })).toBeNull()
  })

  it.each([
    [403, 403001, /No permission/],
    [404, 300001, /does not exist/],
    [500, 500000, /can't be loaded/],
  ])('says why there is none (%d)', async (status, code, words) => {
    fakeServer({ [GET]: () => refuse(status, code, 'no') })
    open()
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toMatch(words)
  })

  it('says that nothing matches', async () => {
    fakeServer({ [GET]: report, [DATA]: answer([]) })
    open('/application/lock/application-report/income?f.result=OK')
    expect((await card('table')).getByText('No data matches the filters')).toBeTruthy()
  })
})
