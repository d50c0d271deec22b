import { readFileSync } from 'node:fs'
import { afterAll, afterEach, expect, vi } from 'vitest'
import { quickLabels } from './labels'

// What a file mocks stays in the modules that it was the first to load, and a pack that it adds in the registry; files share modules
// (vite.config.ts). Such a file has its own.
if (/\b(vi\.(mock|doMock)|addPack)\(/.test(readFileSync(expect.getState().testPath ?? '', 'utf8'))) {
  vi.resetModules()
  afterAll(() => void vi.resetModules())
}

/** jsdom lacks these; antd, the appearance store and lists ask for them. Tests that take their own stubs back keep them. */
Object.assign(globalThis, {
  matchMedia: (query: string) => ({
    matches: false,
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  }),
  ResizeObserver: class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
  // A stream of events without one. A list connects when its test may have ended already.
  EventSource: class {
    addEventListener() {}
    removeEventListener() {}
    close() {}
  },
})

// A machine that has other things to do takes its time.
const { waitFor } = vi
const patient: typeof waitFor = (look, options = 20_000) => waitFor(look, options)
if (waitFor.name !== 'patient') vi.waitFor = patient

if (typeof document !== 'undefined') {
  document.documentElement.dataset.language = 'zh'
  // Files share modules and a page (vite.config.ts): each begins without what the last one left.
  localStorage.clear() // before the modules that begin with what is in it
  sessionStorage.clear()
  const [{ setI18n }, { useLocaleStore }] = await Promise.all([import('react-i18next'), import('@/i18n/locale')])
  vi.useRealTimers()
  vi.unstubAllGlobals()
  document.body.replaceChildren()
  history.replaceState(null, '', '/')
  setI18n(undefined as never)
  useLocaleStore.setState(useLocaleStore.getInitialState())
  // jsdom weighs every rule for every element that a query by role asks about: antd's styles made that most of the time of the tests.
  Object.defineProperty(HTMLStyleElement.prototype, 'innerHTML', { configurable: true, get: () => '', set: () => {} })
  quickLabels()
  const { cleanup, configure } = await import('@testing-library/react')
  configure({ asyncUtilTimeout: 20_000 })
  afterEach(cleanup)
  // React's scheduler may still hold work, and files be on their way; neither must meet a page that is gone already.
  afterAll(async () => {
    await vi.dynamicImportSettled()
    await new Promise((done) => setTimeout(done, 20))
  })
}
