// The rules' second evaluator in the browser that people use: the corpus of the server's, case by case.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { build } from 'vite'
import { browserPath, root, startBrowser } from './server.mjs'

const skip = browserPath() ? false : 'no Chromium: apt-get install chromium'

test('the evaluator gives in Chromium what it gives on the server', { skip }, async () => {
  const [bundle] = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { alias: { '@': join(root, 'ui/src') } },
    build: { write: false, lib: { entry: join(root, 'ui/src/lib/corpus.ts'), formats: ['iife'], name: 'evaluator' } },
  })
  const corpus = JSON.parse(readFileSync(join(root, 'engine/expression/testdata/corpus.json'), 'utf8'))
  const browser = await startBrowser()
  try {
    const page = await browser.newPage()
    await page.addScriptTag({ content: bundle.output[0].code })
    const found = await page.evaluate((all) => evaluator.differences(all), corpus)
    assert.deepEqual(found, [])
    const spoilt = { ...corpus, cases: [{ ...corpus.cases[0], expected: 'something else' }] }
    assert.equal((await page.evaluate((all) => evaluator.differences(all), spoilt)).length, 1)
    assert.ok(corpus.cases.length > 200, `${corpus.cases.length} cases`)
  } finally {
    await browser.close()
  }
})
