import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const server = process.env.SLUICE_SERVER ?? 'http://127.0.0.1:8790'

export default defineConfig({
  root: at('.'),
  cacheDir: at('../.cache/vite'),
  plugins: [react()],
  resolve: { alias: { '@/': `${at('./src')}/`, '@sluice/sdk': at('./src/sdk/index.ts') } },
  server: {
    port: 5173,
    proxy: { '/api': server, '/login/Authentication': server },
    fs: { allow: [at('..'), realpathSync(at('../node_modules'))] },
  },
  build: {
    outDir: at('./dist'),
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    assetsInlineLimit: 0,
    manifest: true,
    // Whoever imports the SDK for its texts does not get its pickers, and with them antd's Select.
    rollupOptions: {
      treeshake: { moduleSideEffects: (id) => !/\/ui\/src\/sdk\/(entry-picker|choice-select)\.tsx$/.test(id) },
    },
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}', '../plugins/**/*.test.{ts,tsx}'],
    setupFiles: [at('./src/testing/setup.ts')],
    css: { modules: { classNameStrategy: 'non-scoped' } },
  },
})
