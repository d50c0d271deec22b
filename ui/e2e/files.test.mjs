// Files of a record: uploaded by choosing and by pasting, seen in the list and in the form, opened and fetched again byte by
// byte; what a field does not take is refused, before it is sent or by the server. SHOTS=folder keeps pictures.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { faultsOf } from './faults.mjs'
import { call, rowsOf } from './parts.mjs'
import { browserPath, openPage, settled, signIn, someOf, startBrowser, startServer } from './server.mjs'

const named = (code, propertyType, name, en, more = {}) => ({ code, propertyType, name, name_i18n: { en }, ...more })
const documents = {
  'pack.json': { code: 'yard', name: '料场', name_i18n: { en: 'Yard' }, version: '1.0.0', requires: ['organisation'] },
  'app.json': { name: '料场', name_i18n: { en: 'Yard' }, menu: [{ code: 'lot', type: 'BizModel' }] },
  'models/lot.json': {
    name: '批次',
    name_i18n: { en: 'Lot' },
    properties: [
      named('title', 'ShortText', '名称', 'Name', { required: true }),
      named('files', 'Attachment', '文件', 'Files', {
        maxCount: 5,
        maxSize: '1MB',
        accept: ['image/*', '.txt', '.pdf'],
      }),
      named('photos', 'Attachment', '照片', 'Photos', { accept: ['image/*'], maxCount: 9, maxSize: '20MB' }),
      named('items', 'Sheet', '明细', 'Items', {
        properties: [
          named('part', 'ShortText', '部位', 'Part'),
          named('proof', 'Attachment', '凭证', 'Proof', { accept: ['image/*'] }),
        ],
      }),
    ],
  },
  'lists/lot.json': {
    schemaCode: 'lot',
    name: '批次',
    name_i18n: { en: 'Lots' },
    queryColumns: [
      { propertyCode: 'title', width: 200 },
      { propertyCode: 'files', width: 280 },
      'photos',
      'createdTime',
    ],
    queryActions: ['add', 'edit', 'form_track'],
  },
}

/** A picture of one colour. */
function png(width, height, rgb) {
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length)
    ends.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([8, 2], 8)
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from(rgb))])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

const picture = { name: '闸门 1#.png', mimeType: 'image/png', buffer: png(400, 300, [0, 120, 180]) }
const note = { name: '说明.txt', mimeType: 'text/plain', buffer: Buffer.from('验收合格\n') }
const pdf = {
  name: 'plan.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  ),
}

const words = {
  zh: {
    name: '文件',
    of: (verb, name) => `${verb}“${name}”`,
    save: '保存',
    edit: '编辑',
    open: '在新标签页打开',
    preview: '预览',
    download: '下载',
    kind: '不能上传此类文件，可以上传：图片、TXT、PDF',
    damaged: '可能已损坏',
    remove: '移除',
    wait: '正在上传，请等待',
    camera: '拍照',
    track: '变更记录',
    gone: /已从记录中移除/,
  },
  en: {
    name: 'Files',
    of: (verb, name) => `${verb} ${name}`,
    save: 'Save',
    edit: 'Edit',
    open: 'Open',
    preview: 'Preview',
    download: 'Download',
    kind: "This file type isn't allowed. Allowed: images, TXT, PDF",
    damaged: 'it may be damaged',
    remove: 'Remove',
    wait: 'still uploading',
    camera: 'Take a photo',
    track: 'History',
    gone: /removed from the record/,
  },
}

/** A picture counts as seen when the browser has drawn it. */
const drawn = (image) => image.evaluate((e) => e.decode().then(() => e.naturalWidth > 0))

test('files', { skip: browserPath() ? false : 'no Chromium' }, async (t) => {
  const pack = mkdtempSync(join(tmpdir(), 'sluice-files-'))
  for (const [name, value] of Object.entries(documents)) {
    mkdirSync(dirname(join(pack, name)), { recursive: true })
    writeFileSync(join(pack, name), JSON.stringify(value))
  }
  const server = await startServer({ packs: [pack] })
  const browser = await startBrowser()
  const take = async (page, name) => {
    await settled(page)
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `files-${name}.png`) })
    assert.deepEqual(await faultsOf(page), [], name)
  }
  const list = `${server.url}/application/yard/application-list/lot`
  try {
    server.addUser('boss', 'administrator', '管理员')
    for (const locale of someOf(['zh', 'en'])) {
      await t.test(locale, async () => {
        const text = words[locale]
        const { page, context, problems } = await openPage(browser, server.url, { locale, dark: locale === 'en' })
        await signIn(page, server.url, 'boss')
        await page.goto(`${server.url}/form/detail?schemaCode=lot&sheetCode=lot`)
        const field = page.locator('[data-field="files"]')
        const chooser = field.locator('input[type="file"]')
        const saved = (name) => field.getByRole('button', { name: text.of(text.remove, name) })
        await page.locator('[data-field="title"] input').fill(`lot ${locale}`)

        // Refused here, and refused by the server, which looks inside.
        await field.getByRole('button', { name: new RegExp(`^${text.name} `) }).waitFor()
        await chooser.setInputFiles([
          { name: 'run.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') },
          { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('this is no picture at all') },
        ])
        await field.getByText(text.kind).waitFor()
        await field.getByText(text.damaged).waitFor()
        await take(page, `refused-${locale}`)
        for (const name of ['run.exe', 'broken.png']) await saved(name).click()

        // While a file is on its way the record is not saved.
        let answer = () => {}
        const held = new Promise((resolve) => {
          answer = resolve
        })
        await page.route('**/api/aliyun/upload*', async (route) => {
          await held
          await route.continue()
        })
        await chooser.setInputFiles(note)
        await field.getByRole('progressbar').waitFor()
        await page.keyboard.press('Control+s')
        await page.getByText(text.wait).waitFor()
        await take(page, `uploading-${locale}`)
        assert.equal(new URL(page.url()).searchParams.get('key'), null)
        answer()
        await saved(note.name).waitFor()
        await page.unroute('**/api/aliyun/upload*')

        await chooser.setInputFiles([picture, pdf])
        await saved(picture.name).waitFor()
        await saved(pdf.name).waitFor()
        await field.getByRole('button', { name: new RegExp(`^${text.name} `) }).focus()
        await page.evaluate(
          async (bytes) => {
            const data = new DataTransfer()
            data.items.add(new File([new Uint8Array(bytes)], 'image.png', { type: 'image/png' }))
            document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
          },
          [...png(300, 300, [200, 90, 40])],
        )
        await field.locator('li').nth(3).waitFor()
        assert.ok(await drawn(field.locator('img').first()))

        // A picture in a row of the sub-table and one in the field of pictures.
        await page.locator('[data-field="photos"] input[type="file"]').first().setInputFiles(picture)
        await page.locator('[data-field="photos"] img').waitFor()
        await page.locator('[data-field="items"] [data-add]').click()
        await page.locator('[data-field="items"] [data-at="0:1"]').dblclick()
        await page.locator('[data-field="items"] [data-at="0:1"] input[type="file"]').setInputFiles(picture)
        await page.locator('[data-field="items"] [data-at="0:1"] img').first().waitFor()
        await page.locator('[data-field="items"] [data-at="0:0"]').click()
        await take(page, `form-${locale}`)
        await page.keyboard.press('Control+s')
        await page.waitForURL((at) => at.searchParams.has('key'))

        // In read mode after a reload.
        await page.reload()
        const shown = page.locator('[data-field="files"]')
        await shown.locator('img').first().waitFor()
        assert.ok(await drawn(shown.locator('img').first()))
        assert.ok(await drawn(page.locator('[data-field="items"] [role="cell"] img').first()))
        await take(page, `read-${locale}`)
        for (const file of [picture, note, pdf]) {
          const started = page.waitForEvent('download')
          await shown
            .locator('[class*="tools"]')
            .getByRole('link', { name: text.of(text.download, file.name) })
            .click()
          const got = await started
          assert.equal(got.suggestedFilename(), file.name)
          assert.deepEqual(readFileSync(await got.path()), file.buffer)
        }
        await shown.getByRole('button', { name: text.of(text.preview, picture.name) }).click()
        const dialog = page.locator('.ant-image-preview[role="dialog"]')
        await dialog.locator('img').waitFor()
        assert.ok(await drawn(dialog.locator('img')))
        await page.keyboard.press('ArrowRight')
        await dialog.getByText('2 / 2').waitFor()
        await take(page, `preview-${locale}`)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        const link = shown.getByRole('link', { name: text.of(text.open, pdf.name), exact: false }).first()
        assert.equal(await link.getAttribute('rel'), 'noopener')
        const inline = await page.request.get(server.url + (await link.getAttribute('href')))
        assert.match(inline.headers()['content-disposition'], /^inline/)
        assert.deepEqual(await inline.body(), pdf.buffer)

        // In the list: small pictures, and what they open, without opening the record.
        await page.goto(list)
        const cell = page.locator('.ag-row', { hasText: `lot ${locale}` }).locator('[col-id="files"]')
        await cell.locator('img').first().waitFor()
        assert.ok(await drawn(cell.locator('img').first()))
        await cell.getByRole('button', { name: text.of(text.preview, picture.name) }).click()
        await dialog.locator('img').waitFor()
        assert.equal(new URL(page.url()).pathname, new URL(list).pathname)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await cell.getByText('+1', { exact: true }).click()
        await page.locator('.ant-popover').getByText(pdf.name).waitFor()
        await take(page, `list-${locale}`)

        // A file that is taken off is gone after saving.
        const [row] = (await rowsOf(page, 'lot', { keyword: '' })).content.filter(
          (one) => one.data.title === `lot ${locale}`,
        )
        await page.goto(`${server.url}/form/detail?schemaCode=lot&key=${row.id}&edit=1`)
        await saved(note.name).click()
        await page.keyboard.press('Control+s')
        await page.getByRole('button', { name: text.edit, exact: true }).waitFor()
        await shown.getByText(note.name).waitFor({ state: 'detached' })
        const load = await call(page, `/api/runtime/form/load?schemaCode=lot&objectId=${row.id}`)
        assert.equal(load.data.data.files.length, 3)

        // The history opens what the record holds, and names what was taken off it.
        await page.goto(list)
        await page
          .locator('.ag-row', { hasText: `lot ${locale}` })
          .locator('input[type="checkbox"]')
          .first()
          .click()
        await page.getByRole('button', { name: text.track }).first().click()
        const track = page.getByRole('dialog')
        const gone = track.locator('[data-gone]', { hasText: note.name })
        await gone.first().waitFor()
        assert.match(await gone.first().getAttribute('title'), text.gone)
        assert.equal(await track.getByRole('link', { name: new RegExp(note.name) }).count(), 0)
        const taken = row.data.files.find((file) => file.name === note.name)
        const refused = await page.request.get(`${server.url}/api/aliyun/download?refId=${taken.refId}`)
        assert.equal(refused.status(), 404)
        const fetched = page.waitForEvent('download')
        await track
          .getByRole('link', { name: text.of(text.download, pdf.name) })
          .first()
          .click()
        assert.deepEqual(readFileSync(await (await fetched).path()), pdf.buffer)
        await take(page, `track-${locale}`)
        await track
          .getByRole('button', { name: text.of(text.preview, picture.name) })
          .first()
          .click()
        await dialog.locator('img').waitFor()
        assert.ok(await drawn(dialog.locator('img')))
        await page.keyboard.press('Escape')
        assert.deepEqual(problems, [])
        await context.close()
      })
    }

    await t.test('on a phone the camera is offered for pictures', async () => {
      const { page, context, problems } = await openPage(browser, server.url, { width: 390, height: 844 })
      await signIn(page, server.url, 'boss')
      await page.goto(`${server.url}/form/detail?schemaCode=lot&sheetCode=lot`)
      const photos = page.locator('[data-field="photos"]')
      await photos.getByRole('button', { name: words.zh.camera }).waitFor()
      assert.equal(await photos.locator('input[capture="environment"]').getAttribute('accept'), 'image/*')
      assert.equal(await page.locator('[data-field="files"] input[capture]').count(), 0)
      await photos.locator('input[capture]').setInputFiles(picture)
      await photos.locator('img').waitFor()
      await take(page, 'phone')
      assert.deepEqual(problems, [])
      await context.close()
    })
  } finally {
    await browser.close()
    await server.stop()
    rmSync(pack, { recursive: true, force: true })
  }
})
