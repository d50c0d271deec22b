import { act, render, screen } from '@testing-library/react'
import { App } from 'antd'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MESSAGES, useFeedback } from './feedback'
import { SHOWN } from './script/faults'

let say: ReturnType<typeof useFeedback>
let message: ReturnType<typeof App.useApp>['message']

function Page() {
  say = useFeedback()
  message = App.useApp().message
  return null
}

const shown = () => screen.queryAllByText(/^said/).map((one) => one.textContent?.replace(link.label, ''))
const link = { label: 'there', run: () => {} }
const after = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))

describe('messages', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    render(
      <App message={MESSAGES} component={false}>
        <Page />
      </App>,
    )
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('stand alone: the next one takes the place of the last', async () => {
    act(() => say.success('said first'))
    await after(0.5)
    expect(shown()).toEqual(['said first'])
    act(() => say.warning('said second'))
    act(() => say.error('said third'))
    await after(1)
    expect(shown()).toEqual(['said third'])
  })

  it('are seen for two seconds, warnings and errors for three, faults of scripts for five, those with a link for eight', async () => {
    for (const [seconds, tell] of [
      [2, () => say.success('said')],
      [3, () => say.warning('said')],
      [4, () => say.warning('said', 4)],
      [8, () => say.success('said', link)],
      [8, () => say.warning('said', undefined, link)],
      [5, () => say.success('said', link, 5)],
      [5, () => say.warning('said', 5, link)],
      [3, () => say.error('said')],
      [5, () => void message.error('said', SHOWN)],
    ] as const) {
      act(tell)
      await after(seconds - 0.2)
      expect(shown(), `${seconds} s`).toEqual(['said'])
      await after(1)
      expect(shown(), `${seconds} s and over`).toEqual([])
    }
  })
})
