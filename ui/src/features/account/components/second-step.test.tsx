import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { finishSignIn } from '../api-sign-in'
import { SecondStep } from './second-step'

vi.mock('../api-sign-in', () => ({ finishSignIn: vi.fn(() => Promise.reject(new Error('wrong'))) }))
vi.mock('@/sdk/system', () => ({ useSystemConfig: () => undefined }))

afterEach(cleanup)

it('gives the box its focus back after each wrong code, with the code selected', async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SecondStep ticket="t" onDone={() => {}} onBack={() => {}} />
    </QueryClientProvider>,
  )
  const box = document.querySelector<HTMLInputElement>('input[autocomplete="one-time-code"]')
  const form = box?.closest('form')
  if (!box || !form) throw new Error('no form')
  for (const [at, code] of ['000000', '11111111'].entries()) {
    fireEvent.change(box, { target: { value: code } })
    box.blur() // as a browser does when the box is disabled
    fireEvent.submit(form)
    await waitFor(() => expect(finishSignIn).toHaveBeenCalledTimes(at + 1))
    await waitFor(() => expect(document.activeElement).toBe(box))
    expect([box.selectionStart, box.selectionEnd]).toEqual([0, code.length])
  }
})
