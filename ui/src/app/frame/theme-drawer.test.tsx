import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, loadLaterTexts, setLocale, startI18n } from '@/i18n/i18n'
import { useTheme } from '@/lib/theme'
import { fakeServer } from '@/testing/fake-server'
import { ThemeDrawer } from './theme-drawer'

const theme = (name: string, color: string) => ({ name, icon: 'theme', color, outward: 'light' })
const all = [theme('default', '#00adfc'), theme('green', '#2f9e5b')]

describe('the theme drawer', () => {
  let server: ReturnType<typeof fakeServer>
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await loadLaterTexts()
    await setLocale('zh')
  })
  beforeEach(() => {
    server = fakeServer({
      '/api/system/theme': { theme: all[0], themes: all },
      '/api/system/config': { name: 'Sluice', name_i18n: {}, logoUrl: null, theme: all[0], timezone: 'Asia/Shanghai' },
    })
  })
  afterEach(() => {
    cleanup()
    vi.unstubAllGlobals()
  })
  const draw = (onClose = () => {}) =>
    render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <App>
          <ThemeDrawer onClose={onClose} />
        </App>
      </QueryClientProvider>,
    )
  const saved = () =>
    server
      .of('/api/system/theme')
      .map(({ body }) => body)
      .filter(Boolean)

  it('tries a theme out at once, and takes it back when it is closed without saving', async () => {
    const { unmount } = draw()
    fireEvent.click(await screen.findByRole('radio', { name: '绿色' }))
    expect(useTheme.getState().shown?.color).toBe('#2f9e5b')
    unmount()
    expect(useTheme.getState().shown).toBeNull()
    expect(saved()).toEqual([])
  })

  it('saves theme, names and appearance for everybody', async () => {
    const closed = vi.fn()
    draw(closed)
    fireEvent.click(await screen.findByRole('radio', { name: '绿色' }))
    fireEvent.click(screen.getByText('深色'))
    fireEvent.change(screen.getByLabelText('系统名称'), { target: { value: ' 船闸平台 ' } })
    fireEvent.change(screen.getByLabelText('英文名称'), { target: { value: 'Locks' } })
    fireEvent.click(screen.getByRole('button', { name: /^保\s?存$/ }))
    await waitFor(() => expect(closed).toHaveBeenCalled())
    expect(saved()).toEqual([{ theme: 'green', outward: 'dark', name: '船闸平台', name_i18n: { en: 'Locks' } }])
  })

  it('is 420 wide, and no wider than the window', async () => {
    draw()
    await screen.findByRole('radio', { name: '默认' })
    expect(document.querySelector('.ant-drawer-content-wrapper')?.getAttribute('style')).toContain('min(420px, 100vw)')
  })

  it('keeps the default theme light', async () => {
    draw()
    await screen.findByRole('radio', { name: '默认' })
    expect(screen.getByText('默认主题只用浅色；个人选择优先。')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: /^保\s?存$/ }))
    await waitFor(() => expect(saved()).toHaveLength(1))
    expect(saved()[0]).toMatchObject({ theme: 'default', outward: 'light' })
  })

  it('refuses pictures that are too large or of another kind', async () => {
    draw()
    await screen.findByText('选择图片')
    const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement
    fireEvent.change(input, { target: { files: [new File(['<svg/>'], 'a.svg', { type: 'image/svg+xml' })] } })
    expect(screen.getByRole('alert').textContent).toBe('只支持 PNG 和 JPEG 图片。')
    fireEvent.change(input, { target: { files: [new File([new Uint8Array(70_000)], 'a.png', { type: 'image/png' })] } })
    expect(screen.getByRole('alert').textContent).toBe('图片超过 64 KB，请选择更小的图片。')
  })
})
