import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError, configureClient, get } from './client'

const answers = (...list: [number, object][]) => {
  const fetch = vi.fn()
  for (const [status, body] of list)
    fetch.mockResolvedValueOnce(Response.json(body, { status, headers: { 'X-Request-Id': 'r1' } }))
  vi.stubGlobal('fetch', fetch)
  return fetch
}
const ok = (data: unknown) => ({ errcode: 0, errmsg: '', data })
const failed = { errcode: 100011, errmsg: 'expired', data: null }

describe('client', () => {
  afterEach(() => configureClient({ session: () => undefined, refresh: async () => false, expired: () => {} }))

  it('opens the envelope and marks calls as ours', async () => {
    const fetch = answers([200, ok([{ code: 'a' }])])
    expect(await get('/api/app/apppackage/list')).toEqual([{ code: 'a' }])
    expect(fetch.mock.calls[0]?.[1]).toMatchObject({
      credentials: 'same-origin',
      headers: { 'X-Requested-With': 'XMLHttpRequest' },
    })
  })

  it('throws refusals, also those that arrive with status 200', async () => {
    answers([200, { errcode: 700020, errmsg: '没有新增权限', data: null }])
    const error = await get('/api/app/apppackage/list').catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 700020, message: '没有新增权限', requestId: 'r1' })
  })

  it('refreshes once on 401 and repeats the call', async () => {
    const refresh = vi.fn(async () => true)
    configureClient({ refresh })
    answers([401, failed], [200, ok([])])
    expect(await get('/api/app/apppackage/list')).toEqual([])
    expect(refresh).toHaveBeenCalledTimes(1)
  })

  it('ends the session when the refresh does not help', async () => {
    const expired = vi.fn()
    configureClient({ refresh: async () => false, expired })
    answers([401, failed])
    await expect(get('/api/app/apppackage/list')).rejects.toMatchObject({ code: 100011 })
    expect(expired).toHaveBeenCalledTimes(1)
  })

  it('leaves a session alone that began after the call was sent', async () => {
    const expired = vi.fn()
    let session = 1
    const refresh = vi.fn(async () => {
      session = 2
      return false
    })
    configureClient({ session: () => session, refresh, expired })
    answers([401, failed])
    await expect(get('/api/app/apppackage/list')).rejects.toMatchObject({ code: 100011 })
    expect(refresh).toHaveBeenCalledWith(1)
    expect(expired).not.toHaveBeenCalled()
  })

  it('does not refresh for a wrong password', async () => {
    const refresh = vi.fn(async () => true)
    configureClient({ refresh })
    answers([401, { errcode: 100001, errmsg: 'wrong', data: null }])
    await expect(get('/api/login/rsa_key')).rejects.toMatchObject({ code: 100001 })
    expect(refresh).not.toHaveBeenCalled()
  })

  it('says when nobody answered', async () => {
    vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('network')))
    await expect(get('/api/app/apppackage/list')).rejects.toMatchObject({ code: 0 })
  })
})
