import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { App } from 'antd'
import { afterEach, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { fakeServer } from '@/testing/fake-server'
import { SignIns } from './sign-ins'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const session = (address: string, createdTime: string, seenTime: string | null, current = false) => ({
  ...{
    id: address,
    script: false,
    readOnly: false,
    apps: null,
    label: '',
    device: null,
    expiresTime: '2027-01-01T00:00:00Z',
  },
  ...{ address, createdTime, seenTime, current },
})

it('lists this browser first, then those that were used last', async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('zh')
  fakeServer({
    '/api/organization/user/sessions': {
      content: [
        session('10.0.0.1', '2026-11-01T00:00:00Z', null),
        session('10.0.0.2', '2026-11-02T00:00:00Z', '2026-11-02T01:00:00Z', true),
        session('10.0.0.3', '2026-10-01T00:00:00Z', '2026-11-09T00:00:00Z'),
        session('10.0.0.4', '2026-11-05T00:00:00Z', null),
        {
          ...session('', '2026-11-05T00:00:00Z', null),
          ...{ id: 't', script: true, label: '夜间', address: null },
          apps: [
            { appCode: 'yard', write: true, gone: true },
            { appCode: 'yard', write: true, gone: false },
          ],
        },
      ],
    },
    '/api/app/apppackage/list': [{ code: 'yard', name: '船厂', name_i18n: {} }],
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App>
        <SignIns />
      </App>
    </QueryClientProvider>,
  )
  await screen.findByText(/10\.0\.0\.2/)
  const token = within(screen.getByText('夜间').closest('li') as HTMLElement)
  expect(await token.findByText('船厂')).toBeTruthy()
  expect(token.getByText('yard（已删除，不能再访问）')).toBeTruthy()
  const addresses = screen.getAllByText(/10\.0\.0\.\d/).map((one) => one.textContent?.match(/10\.0\.0\.\d/)?.[0])
  expect(addresses).toEqual(['10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.1'])
})
