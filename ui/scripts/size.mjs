// Prints what the first load costs (index.html, its scripts and styles, and what those import at once) and fails over the
// budget of 300 kB gzip.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const budget = 300_000
const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const page = readFileSync(join(dist, 'index.html'), 'utf8')
const found = new Set([...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map((match) => match[1]))
const queue = [...found]
for (let name = queue.pop(); name; name = queue.pop()) {
  if (!name.endsWith('.js')) continue
  const text = readFileSync(join(dist, name), 'utf8')
  for (const [, file] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) {
    const asset = `assets/${file}`
    if (!found.has(asset)) {
      found.add(asset)
      queue.push(asset)
    }
  }
}
let total = gzipSync(page).length
for (const name of [...found].sort()) {
  const packed = join(dist, `${name}.gz`)
  const size = existsSync(packed) ? statSync(packed).size : gzipSync(readFileSync(join(dist, name))).length
  total += size
  console.log(`${String(size).padStart(8)}  ${name}`)
}
console.log(`${String(total).padStart(8)}  first load, gzip (budget ${budget})`)
if (total > budget) process.exit(1)
