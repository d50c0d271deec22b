import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const sent = vi.fn((_url: string, _how: { headers: Record<string, string> }) => new Promise(() => {}))

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('fetch', sent)
  sent.mockClear()
  localStorage.clear()
  Reflect.deleteProperty(window, 'sluiceEarly')
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  document.documentElement.dataset.language = 'zh'
})

it.each([
  // browser, installation, chosen: language
  [['en-US', 'en'], '', null, 'en'],
  [['zh-CN', 'en'], '', null, 'zh'],
  [['zh-Hant-TW'], '', null, 'zh'],
  [['fr-FR', 'zh-CN', 'en'], '', null, 'zh'],
  [['fr-FR'], '', null, 'en'],
  [[], '', null, 'en'],
  [['en-US'], 'zh', null, 'zh'],
  [['zh-CN'], 'en', null, 'en'],
  [['zh-CN'], '{{language}}', null, 'zh'], // a page that no server of ours filled in
  [['en-US'], 'en', 'zh', 'zh'],
  [['zh-CN'], 'zh', 'en', 'en'],
  [['en-US'], '', 'nonsense', 'en'],
])('a browser of %j, an installation of "%s", chosen %s: %s', async (languages, installation, chosen, language) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages)
  document.documentElement.dataset.language = installation
  if (chosen) localStorage.setItem('locale', chosen)
  const { useLocaleStore } = await import('@/i18n/locale')
  expect(useLocaleStore.getState().locale).toBe(language)
  await import('./early')
  expect(sent.mock.calls[0]?.[1].headers['Accept-Language']).toBe(language)
})

it('keeps a language once somebody chooses it, and none before', async () => {
  const { setLocale, startI18n } = await import('@/i18n/i18n')
  await startI18n()
  expect(localStorage.getItem('locale')).toBeNull()
  await setLocale('en')
  expect(localStorage.getItem('locale')).toBe('en')
})
