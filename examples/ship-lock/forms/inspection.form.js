// The form of an inspection lot: adds the standard check items of a location, and rejects the result Passed while one of
// the check items failed. docs/scripts.md explains every part.

/** @typedef {import('../../../docs/sluice-script').FormScript} FormScript */
/** @typedef {import('../../../docs/sluice-script').FormPage} FormPage */

/** Standard items with tolerance and number of points, by a word in the location; the last entry is for all others. */
const USUAL = [
  { word: /底板|slab/i, items: [['底板顶面高程', '±10 mm', 20], ['平整度', '8 mm / 2 m', 12], ['轴线位置', '15 mm', 8]] },
  { word: /墙|wall/i, items: [['墙面垂直度', '0.2%', 16], ['墙厚', '+10 / -5 mm', 12], ['预埋件位置', '10 mm', 6]] },
  { word: /./, items: [['轴线位置', '15 mm', 8], ['断面尺寸', '±10 mm', 10], ['外观', '无蜂窝、麻面', 10]] },
]

/**
 * Adds the standard items that the table lacks.
 * @param {FormPage} form
 */
async function addUsual(form) {
  const part = String((await form.getValue('part')) ?? '')
  const rows = await form.getRows('items')
  const there = new Set(rows.map((row) => row.item))
  const usual = (USUAL.find(({ word }) => word.test(part)) ?? USUAL[USUAL.length - 1]).items
  const missing = usual.filter(([item]) => !there.has(item))
  for (const [item, standard, points] of missing) await form.addRow('items', { item, standard, points, ok: true })
  await form.message(
    missing.length > 0
      ? form.i18n({ zh: `已带入 ${missing.length} 项`, en: missing.length === 1 ? '1 item added' : `${missing.length} items added` })
      : form.i18n({ zh: '常用检查项均已在表中', en: 'All standard items are already in the table' }),
  )
}

/** @type {FormScript} */
const script = {
  options: { version: '1.1' },
  hooks: {
    onValidate: ({ values }, form) => {
      const failed = (values.items ?? []).find((row) => row.ok === false)
      if (values.result !== 'OK' || !failed) return {}
      return { result: form.i18n({ zh: `“${failed.item}”不合格，不能判定为合格`, en: `"${failed.item}" failed, so the lot can't be set to Passed` }) }
    },

    onCustomAction: async ({ action, editing }, form) => {
      if (action !== 'usualItems') return
      if (!editing) await form.edit()
      await addUsual(form)
    },
  },
}

export default script
