import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import type { PrintVerified } from './api'
import { VerifyPage } from './verify-page'

beforeAll(async () => {
  await startI18n()
  await setLocale('en')
  await loadAllTexts()
  await loadLaterTexts()
})
afterEach(() => vi.unstubAllGlobals())

const paper: PrintVerified = {
  status: 'changed',
  visible: false,
  templateName: '计量单',
  templateName_i18n: { en: 'Measurement sheet' },
  printedTime: '2026-11-26T01:02:03Z',
  shown: [{ code: 'amount', name: '金额', name_i18n: { en: 'Amount' }, text: '11,691' }],
}

function open(answer: PrintVerified) {
  vi.stubGlobal('fetch', async () => Response.json({ errcode: 0, errmsg: '', data: answer }))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter initialEntries={['/print/verify?code=x']}>
        <VerifyPage />
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

test('who has no account reads what stands on the paper and whether it is genuine, and is led nowhere', async () => {
  open(paper)
  await screen.findByRole('heading', { name: 'Genuine, but changed since' })
  expect(screen.getByText('11,691')).toBeDefined()
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.queryByRole('table')).toBeNull()
})

test('who sees the record reads first what differs on the paper, by cell', async () => {
  open({
    ...paper,
    visible: true,
    schemaCode: 'sheet',
    objectId: '1',
    recordName: 'Gate',
    printedBy: 'clerk',
    how: 'file',
    versionTime: '2026-11-26T01:02:03Z',
    currentTime: '2026-11-26T02:02:03Z',
    gone: 0,
    differences: [
      {
        code: 'lines',
        name: '明细',
        name_i18n: { en: 'Lines' },
        onPaper: true,
        before: '',
        after: '',
        rows: {
          before: 3,
          after: 3,
          changed: 1,
          cells: [
            {
              row: 3,
              code: 'amount',
              name: '金额',
              name_i18n: { en: 'Amount' },
              onPaper: true,
              before: '11,691',
              after: '171',
            },
          ],
        },
      },
      {
        code: 'secret',
        name: '底价',
        name_i18n: { en: 'Floor' },
        onPaper: false,
        before: '7',
        after: '8',
        rows: null,
      },
    ],
  })
  const [first, second] = await screen.findAllByRole('table')
  expect(within(first as HTMLElement).getByRole('row', { name: 'Lines, row 3, Amount 11,691 171' })).toBeDefined()
  expect(within(second as HTMLElement).getByRole('row', { name: 'Floor 7 8' })).toBeDefined()
})

test('a code of somebody else is no printout of this system', async () => {
  open({ status: 'unknown', visible: false })
  await screen.findByRole('heading', { name: 'Not a printout of this system' })
  expect(screen.queryByText('Measurement sheet')).toBeNull()
})
