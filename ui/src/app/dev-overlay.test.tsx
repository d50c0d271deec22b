import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { DevOverlay } from './dev-overlay'

const told: Record<string, (event: MessageEvent<string>) => void> = {}
vi.mock('@/api/events', () => ({
  followEvents: (handlers: Record<string, (event: MessageEvent<string>) => void>) => {
    Object.assign(told, handlers)
    return () => {}
  },
}))
const post = vi.fn(async (_path: string, _body: unknown) => undefined)
vi.mock('@/api/client', async (original) => ({
  ...(await original<object>()),
  post: (path: string, body: unknown) => post(path, body),
}))
vi.mock('@tanstack/react-query', async (original) => ({ ...(await original<object>()), useQueryClient: () => ({}) }))
vi.mock('@/sdk/feedback', () => ({ useFeedback: () => ({ error: vi.fn(), success: vi.fn() }) }))

test('a change that waits offers what can be done about it', async () => {
  render(<DevOverlay dev />)
  const problem = { file: 'desk/models/ticket.json', line: 1, column: 1, code: 'PLAN002', zh: '等待', en: 'waits' }
  const offer = { id: 'ticket.note', keeps: true, loses: true, renames: ['remark'] }
  const { act } = await import('react')
  act(() => told.diagnostics?.(new MessageEvent('diagnostics', { data: JSON.stringify([{ ...problem, offer }]) })))
  expect(await screen.findAllByRole('listitem')).toHaveLength(1)
  for (const [name, body] of [
    [/keepProperty/, { id: 'ticket.note', do: 'keep' }],
    [/renamedTo/, { id: 'ticket.note', do: 'rename', to: 'remark' }],
    [/dropProperty/, { id: 'ticket.note', do: 'drop' }],
  ] as const) {
    await act(async () => void fireEvent.click(screen.getByRole('button', { name })))
    expect(post).toHaveBeenLastCalledWith('/api/dev/answer', body)
  }
})
