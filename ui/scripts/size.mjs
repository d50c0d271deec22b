// Prints what the first page and the list weigh, and fails over the budget: 300 kB for the first load, 600 kB with a list.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, 'utf8'))
const budgets = { first: 300, list: 600 }

function weigh(entries) {
  const files = new Set()
  const visit = (key) => {
    const chunk = manifest[key]
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const css of chunk.css ?? []) files.add(css)
    for (const inner of chunk.imports ?? []) visit(inner)
  }
  entries.forEach(visit)
  return [...files]
    .filter((file) => existsSync(dist + file))
    .map((file) => [file, gzipSync(readFileSync(dist + file), { level: 9 }).length])
}

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry)
const lazy = (name) => Object.keys(manifest).filter((key) => key.endsWith(name))
const locale = [...lazy('i18n/zh/index.ts'), ...lazy('locale/zh_CN.js'), ...lazy('dayjs/locale/zh-cn.js')]
const pages = { first: [entry, ...locale], list: [entry, ...locale, ...lazy('list/list-page.tsx')] }

let over = false
for (const [name, entries] of Object.entries(pages)) {
  const files = weigh(entries).sort((a, b) => b[1] - a[1])
  const total = files.reduce((sum, [, size]) => sum + size, 0) / 1000
  console.log(`${name}: ${total.toFixed(1)} kB gzip of ${budgets[name]}`)
  for (const [file, size] of files.slice(0, 8)) console.log(`  ${(size / 1000).toFixed(1).padStart(6)}  ${file}`)
  if (total > budgets[name]) over = true
}
process.exit(over ? 1 : 0)
