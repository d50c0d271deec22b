// Writes .br and .gz beside every asset worth compressing, so that the server sends them as they are.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const assets = join(fileURLToPath(new URL('../dist/', import.meta.url)), 'assets')
const least = 1024
for (const name of readdirSync(assets)) {
  if (!/\.(js|css|svg|json|wasm)$/.test(name)) continue
  const data = readFileSync(join(assets, name))
  if (data.length < least) continue
  writeFileSync(join(assets, `${name}.gz`), gzipSync(data, { level: 9 }))
  writeFileSync(
    join(assets, `${name}.br`),
    brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: data.length } }),
  )
}
