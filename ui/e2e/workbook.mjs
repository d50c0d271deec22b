import { crc32 } from 'node:zlib'

const escaped = (text) =>
  text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one])

/** A zip whose parts are not packed. */
function zip(parts) {
  const bodies = []
  const names = []
  let at = 0
  for (const [name, text] of parts) {
    const data = Buffer.from(text)
    const file = Buffer.from(name)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt32LE(crc32(data), 10)
    fields.writeUInt32LE(data.length, 14)
    fields.writeUInt32LE(data.length, 18)
    fields.writeUInt16LE(file.length, 22)
    bodies.push(Buffer.from('PK\x03\x04', 'latin1'), fields, file, data)
    const where = Buffer.alloc(14)
    where.writeUInt32LE(at, 10)
    names.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, where, file)
    at += 30 + file.length + data.length
  }
  const directory = Buffer.concat(names)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...bodies, directory, Buffer.from('PK\x05\x06', 'latin1'), end])
}

/** A workbook as a file that is chosen: its worksheets by name, of rows of texts and numbers. */
export function workbook(name, sheets) {
  const cell = (value, at, row) => {
    const ref = `${String.fromCharCode(65 + at)}${row}`
    return typeof value === 'number'
      ? `<c r="${ref}"><v>${value}</v></c>`
      : `<c r="${ref}" t="inlineStr"><is><t>${escaped(value)}</t></is></c>`
  }
  const root = 'http://schemas.openxmlformats.org'
  const relation = (id, type, target) =>
    `<Relationship Id="${id}" Type="${root}/officeDocument/2006/relationships/${type}" Target="${target}"/>`
  const relations = (all) => `<Relationships xmlns="${root}/package/2006/relationships">${all.join('')}</Relationships>`
  const names = Object.keys(sheets)
  const listed = names.map((one, at) => `<sheet name="${escaped(one)}" sheetId="${at + 1}" r:id="r${at + 1}"/>`)
  const main = `xmlns="${root}/spreadsheetml/2006/main"`
  return {
    name,
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: zip([
      [
        '[Content_Types].xml',
        `<Types xmlns="${root}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
      ],
      ['_rels/.rels', relations([relation('r1', 'officeDocument', 'xl/workbook.xml')])],
      [
        'xl/workbook.xml',
        `<workbook ${main} xmlns:r="${root}/officeDocument/2006/relationships"><sheets>${listed.join('')}</sheets></workbook>`,
      ],
      [
        'xl/_rels/workbook.xml.rels',
        relations(names.map((_, at) => relation(`r${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`))),
      ],
      ...names.map((one, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet ${main}><sheetData>${sheets[one]
          .map((row, i) => `<row r="${i + 1}">${row.map((value, k) => cell(value, k, i + 1)).join('')}</row>`)
          .join('')}</sheetData></worksheet>`,
      ]),
    ]),
  }
}
