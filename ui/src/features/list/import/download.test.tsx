import { act, renderHook } from '@testing-library/react'
import { App } from 'antd'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { nameOfFile } from '@/api/files'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { useDownload } from './download'

const wrapper = ({ children }: { children: React.ReactNode }) => <App>{children}</App>

describe('a file that the server makes', () => {
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await loadLaterTexts()
    await setLocale('zh')
  })
  afterEach(() => vi.restoreAllMocks())

  const fetched = async (response: Response) => {
    vi.stubGlobal('fetch', async () => response)
    const saved = vi.fn()
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved(this.download)
    })
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
    const { result } = renderHook(() => useDownload(), { wrapper })
    await act(() => result.current.start('/api/runtime/import/error_result?fileName=i1'))
    return saved
  }

  it('is saved under the name that the server gives it', async () => {
    const headers = { 'Content-Disposition': `attachment; filename="x.xlsx"; filename*=UTF-8''%E5%B7%A5%E7%82%B9.xlsx` }
    expect(await fetched(new Response('x'.repeat(100), { headers }))).toHaveBeenCalledWith('工点.xlsx')
    expect(nameOfFile('attachment; filename="a b.xlsx"')).toBe('a b.xlsx')
    expect(nameOfFile(null)).toBe('download')
  })

  it('is not saved when it is too small to be one', async () => {
    expect(await fetched(new Response('<html>'))).not.toHaveBeenCalled()
    expect(document.body.textContent).toContain('下载失败，请稍后重试')
  })

  it('is not saved when the server refuses it', async () => {
    const refusal = Response.json({ errcode: 305006, errmsg: '导入记录不存在或无权查看', data: null }, { status: 404 })
    expect(await fetched(refusal)).not.toHaveBeenCalled()
    expect(document.body.textContent).toContain('导入记录不存在或无权查看')
  })
})
