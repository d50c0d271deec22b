import { afterAll, afterEach } from 'vitest'

/** jsdom lacks these; antd and the appearance store ask for them. Tests that take their own stubs back keep them. */
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
})

if (typeof document !== 'undefined') {
  const { cleanup, configure } = await import('@testing-library/react')
  configure({ asyncUtilTimeout: 10_000 }) // a machine that has other things to do takes its time
  afterEach(cleanup)
  // React's scheduler may still hold work; it must not meet a page that is gone already.
  afterAll(() => new Promise((done) => setTimeout(done, 20)))
}
