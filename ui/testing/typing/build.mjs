// Builds the page of real controls (page.tsx) into a folder.
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))

export const buildTyping = (outDir) =>
  build({
    configFile: false,
    root: at('.'),
    logLevel: 'error',
    plugins: [react()],
    resolve: { alias: { '@/': `${at('../../src')}/`, '@sluice/sdk': at('../../src/sdk/index.ts') } },
    build: { outDir, emptyOutDir: true, target: 'es2022', minify: false, chunkSizeWarningLimit: 10_000 },
  })
