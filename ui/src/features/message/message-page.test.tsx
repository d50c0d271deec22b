import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { App } from 'antd'
import { MemoryRouter, useLocation } from 'react-router'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { PHONE } from '@/lib/use-media'
import { type Call, fakeServer, refuse } from '@/testing/fake-server'
import { Bell } from './bell'
import { MessageLaunch } from './message-launch'
import { MessagePage } from './message-page'
import { useUnread } from './use-unread'

class FakeSource extends EventTarget {
  static CLOSED = 2
  static made: FakeSource[] = []
  readyState = 0
  onopen: (() => void) | null = null
  onerror: (() => void) | null = null
  close() {
    this.readyState = FakeSource.CLOSED
  }
  constructor(readonly url: string) {
    super()
    FakeSource.made.push(this)
  }
}

const message = (id: string, change: object = {}) => ({
  id,
  messageType: 62,
  kind: 'STATION',
  readState: 'UNREADED',
  createdTime: '2026-11-20T08:00:00Z',
  title: `离职人员待交接：${id}`,
  content: '',
  senderVO: null,
  bizParams: '{}',
  opens: true,
  ...change,
})

function Where() {
  const { pathname, search } = useLocation()
  return <p data-testid="where">{pathname + search}</p>
}

function Counter() {
  return <p data-testid="count">{useUnread().total}</p>
}

let answers: Record<string, unknown>
let server: ReturnType<typeof fakeServer>

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
  await setLocale('zh')
})
beforeEach(() => {
  FakeSource.made = []
  vi.stubGlobal('EventSource', FakeSource)
  answers = {
    '/api/system/config': { timezone: 'Asia/Shanghai' },
    '/api/message/unread_count': { STATION: 2, COMMENT: 0 },
    '/api/search/paltformSearch': { MESSAGE: { content: [], totalElements: 0 } },
    '/api/message/read': {},
    '/api/message/updateReadStateAll': {},
  }
  server = fakeServer(answers)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const newClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } })
const draw = (page: React.ReactNode, path: string, client = newClient()) =>
  render(
    <QueryClientProvider client={client}>
      <App>
        <MemoryRouter initialEntries={[path]}>
          {page}
          <Where />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
const searches = () => server.of('/api/search/paltformSearch').map((call) => call.body as Record<string, unknown>)
const where = () => screen.getByTestId('where').textContent

describe('the message page', () => {
  it('groups by day, loads 20 at a time and says when all are there', async () => {
    answers['/api/search/paltformSearch'] = ({ body }: Call) => {
      const { page } = body as { page: number }
      const content =
        page === 0
          ? Array.from({ length: 20 }, (_, i) => message(`a${i}`))
          : [
              message('a19'),
              message('b', { createdTime: '2026-11-19T20:00:00Z' }),
              message('c', { createdTime: '2026-11-18T08:00:00Z' }),
            ]
      return { MESSAGE: { content, totalElements: 22 } }
    }
    draw(<MessagePage />, '/message-notification?type=STATION')
    await screen.findByText('没有更多消息') // nothing has a height here: the end of the list is in sight
    expect(searches()).toEqual([
      { tab: 'MESSAGE', messageType: 'STATION', readState: 'UNREADED', page: 0, size: 20 },
      { tab: 'MESSAGE', messageType: 'STATION', readState: 'UNREADED', page: 1, size: 20 },
    ])
    const days = screen.getAllByRole('heading', { level: 2 })
    expect(days.map((day) => day.textContent)).toEqual(['2026-11-20', '2026-11-18']) // 20:00 in London is the next day here
    expect(within(screen.getByRole('region', { name: '2026-11-20' })).getAllByRole('listitem')).toHaveLength(21)
  })

  it('keeps what it shows when more cannot be loaded, and tries again when asked', async () => {
    let broken = true
    answers['/api/search/paltformSearch'] = ({ body }: Call) => {
      const { page } = body as { page: number }
      if (page === 1 && broken) return refuse(503, 999998, 'later')
      const content = page === 0 ? Array.from({ length: 20 }, (_, i) => message(`a${i}`)) : [message('b')]
      return { MESSAGE: { content, totalElements: 21 } }
    }
    draw(<MessagePage />, '/message-notification?type=STATION')
    const again = await screen.findByText(/^重 ?试$/) // by text: with 20 rows each look by role takes long
    expect(screen.getAllByRole('listitem')).toHaveLength(20)
    expect(screen.getAllByText('消息加载失败')).toHaveLength(1)
    const asked = searches().length
    broken = false
    fireEvent.click(again)
    await screen.findByText('没有更多消息')
    expect(screen.getAllByRole('listitem')).toHaveLength(21)
    expect(searches()).toHaveLength(asked + 1)
  })

  it('goes on loading when a refetch cancels the next page', async () => {
    const client = newClient()
    let refetches = 1
    answers['/api/search/paltformSearch'] = ({ body }: Call) => {
      const { page } = body as { page: number }
      if (page === 1 && refetches-- > 0) void client.invalidateQueries({ queryKey: ['messages', 'list'] })
      const content = page === 0 ? Array.from({ length: 20 }, (_, i) => message(`a${i}`)) : [message('b')]
      return { MESSAGE: { content, totalElements: 21 } }
    }
    draw(<MessagePage />, '/message-notification?type=STATION', client)
    await screen.findByText('没有更多消息')
    expect(screen.getAllByRole('listitem')).toHaveLength(21)
  })

  it('begins anew with another tab, and reads all of the tab that is shown', async () => {
    draw(<MessagePage />, '/message-notification?type=STATION')
    await screen.findByText('没有未读消息')
    fireEvent.click(screen.getByText('已读'))
    await screen.findByText('没有已读消息')
    fireEvent.click(screen.getByRole('tab', { name: /提及和回复/ }))
    await waitFor(() => expect(where()).toBe('/message-notification?type=COMMENT'))
    await waitFor(() =>
      expect(searches().map(({ messageType, readState, page }) => [messageType, readState, page])).toEqual([
        ['STATION', 'UNREADED', 0],
        ['STATION', 'READED', 0],
        ['COMMENT', 'UNREADED', 0],
      ]),
    )
    fireEvent.click(screen.getByRole('tab', { name: /系统通知/ }))
    fireEvent.click(await screen.findByRole('button', { name: '全部已读' }))
    await waitFor(() =>
      expect(server.of('/api/message/updateReadStateAll')[0]?.body).toEqual({ messageType: 'STATION' }),
    )
  })

  it('opens what a message is about; one that opens nothing is read and no more; failures stay silent', async () => {
    answers['/api/search/paltformSearch'] = {
      MESSAGE: { content: [message('x'), message('y', { opens: false }), message('z')], totalElements: 3 },
    }
    answers['/api/message/form_url'] = ({ search }: Call) =>
      search.get('messageId') === 'z'
        ? refuse(404, 302000, 'gone')
        : { url: '/application/organisation/application-list/handover' }
    draw(<MessagePage />, '/message-notification?type=STATION')
    fireEvent.click(await screen.findByText('离职人员待交接：y'))
    await waitFor(() =>
      expect(server.of('/api/message/read').map((call) => call.body)).toEqual([{ messageIdList: ['y'] }]),
    )
    expect(server.of('/api/message/form_url')).toHaveLength(0)
    fireEvent.click(screen.getByText('离职人员待交接：z'))
    await waitFor(() => expect(server.of('/api/message/form_url')).toHaveLength(1))
    answers['/api/message/read'] = () => refuse(500, 100000, 'no')
    fireEvent.click(screen.getByText('离职人员待交接：x'))
    await waitFor(() => expect(where()).toBe('/application/organisation/application-list/handover'))
    expect(document.querySelector('.ant-message-notice')).toBeNull()
  })
})

describe('the messages under the bell', () => {
  it('are ten of the tab in which something waits, and more on request; one that is pressed is read, and opens', async () => {
    answers['/api/message/unread_count'] = { STATION: 0, COMMENT: 11 }
    answers['/api/search/paltformSearch'] = ({ body }: Call) => {
      const { page } = body as { page: number }
      const content = page === 0 ? Array.from({ length: 10 }, (_, i) => message(`a${i}`)) : [message('b')]
      return { MESSAGE: { content, totalElements: 11 } }
    }
    answers['/api/message/form_url'] = { url: '/form/detail?schemaCode=a&key=b' }
    draw(<Bell />, '/my-draft')
    fireEvent.click(await screen.findByRole('button', { name: /11/ }))
    await screen.findByText('离职人员待交接：a9')
    expect(searches()).toEqual([{ tab: 'MESSAGE', messageType: 'COMMENT', readState: '', page: 0, size: 10 }])
    fireEvent.click(screen.getByText('加载更多'))
    await screen.findByText('离职人员待交接：b')
    expect(screen.getAllByRole('listitem')).toHaveLength(11)
    expect(screen.queryByText('加载更多')).toBeNull()
    fireEvent.click(screen.getByText('全部已读'))
    await waitFor(() =>
      expect(server.of('/api/message/updateReadStateAll')[0]?.body).toEqual({ messageType: 'COMMENT' }),
    )
    fireEvent.click(screen.getByText('离职人员待交接：b'))
    await waitFor(() => expect(where()).toBe('/form/detail?schemaCode=a&key=b'))
    expect(server.of('/api/message/read').map(({ body }) => body)).toEqual([{ messageIdList: ['b'] }])
  })
})

describe('the count of unread messages', () => {
  it('is asked for every minute only while the events of the server do not come', async () => {
    vi.useFakeTimers()
    const asked = () => server.of('/api/message/unread_count').length
    draw(<Counter />, '/')
    await act(() => vi.advanceTimersByTimeAsync(10))
    const [stream] = FakeSource.made
    act(() => stream?.onopen?.())
    const first = asked()
    await act(() => vi.advanceTimersByTimeAsync(300_000))
    expect(asked()).toBe(first)
    act(() => {
      stream?.dispatchEvent(new MessageEvent('message', { data: '{"STATION":5,"COMMENT":1}' }))
    })
    await act(() => vi.advanceTimersByTimeAsync(10))
    expect(screen.getByTestId('count').textContent).toBe('6')
    act(() => stream?.onerror?.()) // the stream is away
    await act(() => vi.advanceTimersByTimeAsync(59_000))
    expect(asked()).toBe(first)
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    expect(asked()).toBe(first + 1)
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(asked()).toBe(first + 2)
    act(() => stream?.onopen?.()) // and back: what was missed is asked for once
    await act(() => vi.advanceTimersByTimeAsync(10))
    const back = asked()
    await act(() => vi.advanceTimersByTimeAsync(300_000))
    expect(asked()).toBe(back)
  })
})

describe('the link of a mail', () => {
  it('shows a link that opens the target in the browser', async () => {
    answers['/api/message/form_url'] = { url: '/form/detail?schemaCode=a&objectId=b' }
    draw(<MessageLaunch />, '/?messageId=m1')
    const link = await screen.findByRole('link', { name: '在浏览器中打开' })
    expect(link.getAttribute('href')).toBe('/form/detail?schemaCode=a&objectId=b')
    expect(link.getAttribute('target')).toBe('_blank')
    expect(server.of('/api/message/form_url')[0]?.search.get('messageId')).toBe('m1')
    fireEvent.click(screen.getByRole('link', { name: '在此页打开' }))
    await waitFor(() => expect(where()).toBe('/form/detail?schemaCode=a&objectId=b'))
    expect(server.of('/api/message/read')[0]?.body).toEqual({ messageIdList: ['m1'] })
  })

  it('opens the target at once on a phone', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query === PHONE,
      media: query,
      addEventListener: () => {},
      removeEventListener: () => {},
    }))
    answers['/api/message/form_url'] = { url: '/form/detail?schemaCode=a&objectId=b' }
    draw(<MessageLaunch />, '/?messageId=m1')
    await waitFor(() => expect(where()).toBe('/form/detail?schemaCode=a&objectId=b'))
    expect(server.of('/api/message/read')[0]?.body).toEqual({ messageIdList: ['m1'] })
  })

  it('shows all messages when the message opens nothing', async () => {
    answers['/api/message/form_url'] = () => refuse(404, 304002, 'no')
    draw(<MessageLaunch />, '/?messageId=m1')
    await waitFor(() => expect(where()).toBe('/message-notification'))
  })

  it('says so when the message is gone', async () => {
    answers['/api/message/form_url'] = () => refuse(404, 303002, 'no')
    draw(<MessageLaunch />, '/?messageId=m1')
    await screen.findByText('无法打开此消息')
  })
})
