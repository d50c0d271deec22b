import { renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useSubmit } from './use-submit'

it('submits when the fields have come, once, and at once from then on', async () => {
  const { result } = renderHook(() => useSubmit())
  const submit = vi.fn()
  result.current.submit(true)
  result.current.submit(false)
  result.current.current = { submit }
  await vi.waitFor(() => expect(submit).toHaveBeenCalledOnce())
  expect(submit).toHaveBeenCalledWith(false)
  result.current.submit()
  expect(submit).toHaveBeenCalledTimes(2)
  result.current.current = null
  result.current.current = { submit }
  await new Promise((done) => setTimeout(done, 5))
  expect(submit).toHaveBeenCalledTimes(2)
})
