import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/** The sources of the packs' interfaces, without their texts: those are called by the codes that they name. */
const sources = [join(root, 'plugins'), join(root, 'examples')].flatMap((folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((one) => one.isFile() && /\.tsx?$/.test(one.name) && !/\.test\.|^texts/.test(one.name))
    .map((one) => join(one.parentPath, one.name))
    .filter((file) => /\/ui\//.test(file) && !/node_modules|\/dist\//.test(file)),
)

/** A code of a document that is written out where the server reads one, or where a value of a record is read. */
const written =
  /\b(?:schemaCode|sheetCode|queryCode|propertyCode)(?::| ===) '[^']+'|\b(?:cell|whole)\(\w+, '(?!sequenceNo')[^']+'|\b(?:row|record)\.data\.[a-zA-Z]/g

it('declares what the interfaces of packs name in documents', () => {
  expect(sources.length).toBeGreaterThan(40)
  const found = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(written)].map(([code]) => `${file.slice(root.length + 1)}: ${code}`),
  )
  expect(found).toEqual([])
})
