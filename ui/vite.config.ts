import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const server = process.env.SLUICE_SERVER ?? 'http://127.0.0.1:8790'

/** Drops @font-face rules that fetch from foreign origins: style sheets of libraries bring them, and our policy refuses them. */
const ownFontsOnly: Plugin = {
  name: 'own-fonts-only',
  enforce: 'pre',
  transform: (code, id) =>
    /\.css(\?|$)/.test(id) ? code.replace(/@font-face\s*\{[^}]*url\(["']?(https?:)?\/\/[^}]*\}/g, '') : null,
}

export default defineConfig({
  root: at('.'),
  cacheDir: at('../.cache/vite'),
  plugins: [react(), ownFontsOnly],
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
    // What many chunks share comes as one file: a hundred small ones compress worse. A lower count draws more into the sign-in page.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'shared', test: /node_modules/, minShareCount: 66 }] } },
      // Whoever imports the SDK for its texts does not get its pickers, and with them antd's Select.
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
