// The floor program of bench/reload.mjs: a page of React and the grid alone, built and served as the product's is (one
// file of code, immutable, so that Chromium keeps it compiled).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { build } from 'vite'
import { root } from '../ui/e2e/server.mjs'

const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' }

/** Serves the page with these rows: {columns: names, rows: texts by name and id}. */
export async function startFloor(data) {
  const dist = mkdtempSync(join(tmpdir(), 'sluice-floor-'))
  await build({
    root: join(root, 'bench/floor-page'),
    configFile: false,
    logLevel: 'warn',
    build: { outDir: dist, emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 5000 },
  })
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://floor').pathname
    if (path === '/rows.json') {
      response.writeHead(200, { 'Content-Type': types['.json'], 'Cache-Control': 'no-store' })
      response.end(JSON.stringify(data))
      return
    }
    const name = path === '/' ? 'index.html' : path.slice(1)
    let text
    try {
      text = readFileSync(join(dist, name))
    } catch {
      response.writeHead(404).end()
      return
    }
    const kept = name === 'index.html' ? 'no-cache' : 'public, max-age=31536000, immutable'
    response.writeHead(200, { 'Content-Type': types[extname(name)] ?? 'application/octet-stream', 'Cache-Control': kept })
    response.end(text)
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      rmSync(dist, { recursive: true, force: true })
    },
  }
}
