// Prints what pages weigh with all that they import, and fails over the budgets: 300 kB gzipped for the first page, 600 kB
// with a list; the sign-in page 250 KB as browsers get it (brotli).
import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, 'utf8'))
const budgets = { login: 250, first: 300, list: 600 }
const gzip = (file) => gzipSync(readFileSync(dist + file), { level: 9 }).length
const sent = (file) =>
  existsSync(`${dist}${file}.br`) ? statSync(`${dist}${file}.br`).size : statSync(dist + file).size

function weigh(entries, size) {
  const files = new Set()
  const seen = new Set() // a module that lies in a file with others has an entry of its own, with that file
  const visit = (key) => {
    const chunk = manifest[key]
    if (!chunk || seen.has(key)) return
    seen.add(key)
    files.add(chunk.file)
    for (const css of chunk.css ?? []) files.add(css)
    for (const inner of chunk.imports ?? []) visit(inner)
  }
  entries.forEach(visit)
  return [...files].filter((file) => existsSync(dist + file)).map((file) => [file, size(file)])
}

const read = [...readFileSync(`${dist}index.html`, 'utf8').matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(
  ([, file]) => file,
)
const entry = Object.keys(manifest).filter((key) => read.includes(manifest[key].file))
const lazy = (name) => Object.keys(manifest).filter((key) => key.endsWith(name))
const locale = [...lazy('i18n/zh/start.ts'), ...lazy('locale/zh_CN.js'), ...lazy('dayjs/locale/zh-cn.js')]
const shell = [...entry, ...locale, ...lazy('i18n/zh/index.ts'), ...lazy('app/inside.tsx')]
const pages = {
  login: [...entry, ...locale, ...lazy('account/login-page.tsx')],
  first: [...shell, ...lazy('menu/app-list-page.tsx')],
  list: [...shell, ...lazy('list/list-page.tsx'), ...lazy('list/components/list-table.tsx')],
}

let over = false
for (const [name, entries] of Object.entries(pages)) {
  const files = weigh(entries, name === 'login' ? sent : gzip).sort((a, b) => b[1] - a[1])
  const total = files.reduce((sum, [, size]) => sum + size, 0) / 1000
  console.log(`${name}: ${total.toFixed(1)} kB ${name === 'login' ? 'sent' : 'gzip'} of ${budgets[name]}`)
  for (const [file, size] of files.slice(0, Number(process.argv[2] ?? 8)))
    console.log(`  ${(size / 1000).toFixed(1).padStart(6)}  ${file}`)
  if (total > budgets[name]) over = true
}
process.exit(over ? 1 : 0)
