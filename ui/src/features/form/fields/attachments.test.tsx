import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { type ComponentType, Suspense, useState } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { configureClient } from '@/api/client'
import type { FormField } from '@/api/types'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { formWidget, propertyUI } from '@/registry/properties'
import { FormHoldContext, useHolds } from '@/sdk/form-hold'
import type { FormWidgetProps } from '@/sdk/property'
import { type FakeUpload, fakeUploads } from '@/testing/fake-upload'

interface Stored {
  refId: string
  name: string
  mimeType: string
  size: number
  isImage: boolean
}

const Widget = formWidget(6) as ComponentType<FormWidgetProps<Stored[]>>
const ReadValue = propertyUI(6).ReadValue as ComponentType<{ value: Stored[]; field: FormField }>

const stored = (refId: string, name: string, mimeType = 'application/pdf'): Stored => ({
  refId,
  name,
  mimeType,
  size: 2048,
  isImage: mimeType.startsWith('image/'),
})
const file = (name: string, type: string, size = 10) => new File([new Uint8Array(size)], name, { type })
const changed = vi.fn()

function show(settings: object, start: Stored[] | null = null, propertyCode = 'files') {
  const field = { propertyCode, propertyType: 6, name: '附件', name_i18n: { en: 'Files' }, settings } as FormField
  function Holder() {
    const [value, setValue] = useState(start)
    const { waiting, failed, hold } = useHolds()
    return (
      <FormHoldContext value={hold}>
        <output>{failed > 0 ? `failed ${failed}` : waiting}</output>
        <Suspense>
          <Widget
            id="f"
            field={field}
            schemaCode="site"
            value={value}
            onChange={(next) => {
              changed(next)
              setValue(next)
            }}
            values={() => ({})}
          />
        </Suspense>
      </FormHoldContext>
    )
  }
  return render(<Holder />)
}

const area = () => screen.findByRole('button', { name: /^附件 / }, { timeout: 15_000 })
const choose = async (...files: File[]) => {
  await area()
  fireEvent.change(document.querySelector('input[type="file"]') as HTMLInputElement, { target: { files } })
}
const refIds = () => (changed.mock.lastCall?.[0] as Stored[] | null)?.map((one) => one.refId) ?? null

describe('the attachment field', { timeout: 40_000 }, () => {
  let uploads: FakeUpload[]
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
  })
  beforeEach(async () => {
    changed.mockClear()
    uploads = fakeUploads()
    await setLocale('zh')
  })
  afterEach(() => configureClient({ refresh: async () => false, expired: () => {} }))

  it('sends a file at once, shows how far it got, and holds it when the server has it', async () => {
    show({ maxCount: 9, maxSize: 1000 }, [stored('a', '一.pdf')], 'items.photos')
    await choose(file('二.png', 'image/png'))
    const [upload] = uploads
    expect(`${upload?.url.pathname}${upload?.url.search}`).toBe(
      '/api/aliyun/upload?schemaCode=site&propertyCode=items.photos',
    )
    expect(upload?.file.name).toBe('二.png')
    expect(upload?.headers).toMatchObject({ 'X-Requested-With': 'XMLHttpRequest' })
    act(() => upload?.progress(0.42))
    expect(screen.getByRole<HTMLProgressElement>('progressbar', { name: '正在上传“二.png”' }).value).toBe(42)
    expect(screen.getByRole('status').textContent).toBe('1')
    expect(changed).not.toHaveBeenCalled()
    await act(async () => upload?.store(stored('b', '二.png', 'image/png')))
    await waitFor(() => expect(refIds()).toEqual(['a', 'b']))
    expect(screen.queryByRole('progressbar')).toBeNull()
    expect(screen.getByRole('status').textContent).toBe('0')
    expect(document.querySelector('img')?.getAttribute('src')).toBe('/api/aliyun/download?refId=b&thumb=1')
  })

  it('takes files that are dropped on it, and says so while they are held over it', async () => {
    show({ maxCount: 2 })
    const place = (await area()).closest('[data-compact], div[class*="widget"]') as HTMLElement
    const dataTransfer = { files: [file('图纸.pdf', 'application/pdf')], types: ['Files'], items: [] }
    fireEvent.dragEnter(place, { dataTransfer })
    expect(await screen.findByText('松开即可上传')).toBeTruthy()
    fireEvent.drop(place, { dataTransfer })
    expect(uploads.map((one) => one.file.name)).toEqual(['图纸.pdf'])
    await act(async () => uploads[0]?.store(stored('c', '图纸.pdf')))
    await waitFor(() => expect(refIds()).toEqual(['c']))
    expect(screen.queryByText('松开即可上传')).toBeNull()
  })

  it('keeps all files that finish together', async () => {
    show({ maxCount: 9 })
    await choose(...['1', '2', '3', '4'].map((name) => file(`${name}.pdf`, 'application/pdf')))
    expect(uploads.map((one) => one.file.name)).toEqual(['1.pdf', '2.pdf', '3.pdf'])
    expect(screen.getByText('等待上传')).toBeTruthy()
    await act(async () => {
      for (const [i, one] of uploads.entries()) one.store(stored(String(i), one.file.name))
    })
    await waitFor(() => expect(uploads).toHaveLength(4))
    await act(async () => uploads[3]?.store(stored('3', '4.pdf')))
    await waitFor(() => expect(refIds()?.sort()).toEqual(['0', '1', '2', '3']))
  })

  it('says the server’s refusal, sends again, and can be taken off', async () => {
    show({ maxCount: 9 })
    await choose(file('a.pdf', 'application/pdf'), file('b.pdf', 'application/pdf'))
    await act(async () => {
      uploads[0]?.refuse(422, 302073, '文件内容与类型不符')
      uploads[1]?.drop()
    })
    expect(await screen.findByText('文件内容与类型不符')).toBeTruthy()
    expect(screen.getAllByRole('alert')).toHaveLength(2)
    expect(screen.getByRole('status').textContent).toBe('failed 2')
    fireEvent.click(screen.getByRole('button', { name: '移除“a.pdf”' }))
    expect(screen.getByRole('status').textContent).toBe('failed 1') // the form is not saved without it
    fireEvent.click(screen.getByRole('button', { name: '重新上传“b.pdf”' }))
    expect(screen.queryByRole('alert')).toBeNull()
    await act(async () => uploads[2]?.store(stored('b', 'b.pdf')))
    await waitFor(() => expect(refIds()).toEqual(['b']))
  })

  it('is sent once more after a fresh session', async () => {
    configureClient({ refresh: async () => true })
    show({})
    await choose(file('a.pdf', 'application/pdf'))
    await act(async () => uploads[0]?.refuse(401, 100011, 'expired'))
    await waitFor(() => expect(uploads).toHaveLength(2))
    await act(async () => uploads[1]?.store(stored('a', 'a.pdf')))
    await waitFor(() => expect(refIds()).toEqual(['a']))
  })

  it('stops an upload that is cancelled, and those of a field that goes', async () => {
    const { unmount } = show({})
    await choose(file('a.pdf', 'application/pdf'), file('b.pdf', 'application/pdf'))
    fireEvent.click(screen.getByRole('button', { name: '取消上传“a.pdf”' }))
    expect(uploads.map((one) => one.aborted)).toEqual([true, false])
    expect(screen.queryByText('a.pdf')).toBeNull()
    unmount()
    expect(uploads[1]?.aborted).toBe(true)
    expect(changed).not.toHaveBeenCalled()
  })

  it('refuses before it sends: kind, size, emptiness and number', async () => {
    show({ maxCount: 2, maxSize: 2048, accept: ['image/*', '.PDF'] }, [stored('a', 'a.pdf')])
    await choose(
      file('run.exe', 'application/x-msdownload'),
      file('large.png', 'image/png', 3000),
      file('empty.png', 'image/png', 0),
    )
    expect(screen.getByText('不能上传此类文件，可以上传：图片、PDF')).toBeTruthy()
    expect(screen.getByText('文件为 2.9 KB，超过了 2 KB 的限制')).toBeTruthy()
    expect(screen.getByText('文件没有内容')).toBeTruthy()
    expect(uploads).toEqual([])
    await choose(file('b.pdf', ''), file('c.png', 'image/png'))
    expect(uploads.map((one) => one.file.name)).toEqual(['b.pdf'])
    expect(screen.getByText('最多 2 个文件，1 个未添加')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^附件 / })).toBeNull()
  })

  it('says its limits in English, too', async () => {
    await act(() => setLocale('en'))
    show({ maxCount: 1, maxSize: 20 << 20, accept: ['application/pdf', '.docx'] })
    const button = await screen.findByRole('button', { name: 'Files Choose files, or drop or paste them here' })
    expect(document.getElementById('f-facts')?.textContent).toBe(
      'File types: PDF, DOCX · Up to 20 MB each · Up to 1 file',
    )
    expect(button.getAttribute('aria-describedby')).toBe('f-facts')
  })

  it('keeps the focus when the last file that there is room for is stored, and takes none from elsewhere', async () => {
    show({ maxCount: 1 })
    const button = await area()
    button.focus()
    await choose(file('a.pdf', 'application/pdf'))
    const stop = (name: string) => screen.findByRole('button', { name: `取消上传“${name}”` })
    await waitFor(async () => expect(document.activeElement).toBe(await stop('a.pdf')))
    await act(async () => uploads[0]?.store(stored('a', 'a.pdf')))
    const remove = await screen.findByRole('button', { name: '移除“a.pdf”' })
    expect(button.isConnected).toBe(false)
    await waitFor(() => expect(document.activeElement).toBe(remove))
    fireEvent.click(remove)
    await waitFor(async () => expect(document.activeElement).toBe(await area()))
    await choose(file('b.pdf', 'application/pdf'))
    await waitFor(async () => expect(document.activeElement).toBe(await stop('b.pdf')))
    act(() => (document.activeElement as HTMLElement).blur()) // the person has gone on
    await act(async () => uploads[1]?.store(stored('b', 'b.pdf')))
    await screen.findByRole('button', { name: '移除“b.pdf”' })
    await new Promise((drawn) => requestAnimationFrame(drawn))
    expect(document.activeElement).toBe(document.body)
  })

  it('takes pasted pictures under a name of their own, and dropped files', async () => {
    show({})
    const button = await area()
    const transfer = (...files: File[]) => ({
      types: ['Files'],
      files,
      items: files.map((one) => ({ kind: 'file', getAsFile: () => one })),
    })
    fireEvent.paste(button, { clipboardData: transfer(file('image.png', 'image/png')) })
    expect(uploads[0]?.file.name).toMatch(/^粘贴的图片 \d\d\.\d\d\.\d\d\.png$/)
    expect(uploads[0]?.file.type).toBe('image/png')
    fireEvent.paste(button, { clipboardData: { types: ['text/plain'], files: [], items: [] } })
    fireEvent.drop(button, { dataTransfer: transfer(file('plan.dwg', '')) })
    expect(uploads.map((one) => one.file.name).slice(1)).toEqual(['plan.dwg'])
  })

  it('gives back an empty value when the last file is taken off', async () => {
    show({}, [stored('a', 'a.pdf'), stored('b', 'b.pdf')])
    await area()
    fireEvent.click(screen.getByRole('button', { name: '移除“a.pdf”' }))
    expect(refIds()).toEqual(['b'])
    fireEvent.click(screen.getByRole('button', { name: '移除“b.pdf”' }))
    expect(changed).toHaveBeenLastCalledWith(null)
    await waitFor(async () => expect(document.activeElement).toBe(await area()))
  })

  it('opens each kind as it is safe: pictures here, PDF in a tab, others as a download', () => {
    const value = [stored('p', 'p.png', 'image/png'), stored('d', 'd.pdf'), stored('s', 's.svg', 'image/svg+xml')]
    render(<ReadValue value={value} field={{} as FormField} />)
    expect(screen.getByRole('button', { name: '预览“p.png”' })).toBeTruthy()
    const pdf = screen.getByRole('link', { name: '在新标签页打开“d.pdf”' })
    expect(pdf.getAttribute('href')).toBe('/api/aliyun/download?refId=d&inline=1')
    expect(pdf.getAttribute('rel')).toBe('noopener')
    for (const link of screen.getAllByRole('link', { name: '下载“s.svg”' })) {
      expect(link.getAttribute('href')).toBe('/api/aliyun/download?refId=s')
      expect(link.getAttribute('download')).toBe('s.svg')
    }
  })
})
