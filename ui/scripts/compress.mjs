// Writes .gz and .br beside every built text file, so that the server sends bytes and compresses nothing.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const texts = /\.(js|css|svg|json|webmanifest)$/

// index.html gets a nonce with every answer and is not compressed beforehand.
for (const name of readdirSync(dist, { recursive: true })) {
  const path = join(dist, name)
  if (!texts.test(name) || statSync(path).size < 1024) continue
  const bytes = readFileSync(path)
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  writeFileSync(
    `${path}.br`,
    brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  )
}
writeFileSync(join(dist, '.keep'), '')
