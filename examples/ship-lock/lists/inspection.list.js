// What the list of inspection lots highlights: lots without a result after a week, failed lots, and low pass rates.
// docs/scripts.md explains every part.

/** @typedef {import('../../../docs/sluice-script').ListScript} ListScript */

const DAY = 86_400_000
const WAITING_DAYS = 7
const POOR = 0.9

/** Whole days from a date (yyyy-MM-dd…) until today; 0 when there is none. */
const daysSince = (date) => (date ? Math.floor((Date.now() - Date.parse(String(date).slice(0, 10))) / DAY) : 0)

const codeOf = (value) => (value && typeof value === 'object' ? value.code : value)

/** The highlights of one lot; null without any. */
function highlight(row, page) {
  const { result, checkDate, passRate } = row.data
  const cells = {}
  if (passRate !== null && passRate !== undefined && Number(passRate) < POOR) {
    cells.passRate = { tone: 'warning', hint: page.i18n({ zh: '合格率低于 90%', en: 'Pass rate below 90%' }) }
  }
  if (codeOf(result) === 'BAD') {
    cells.result = { tone: 'error', hint: page.i18n({ zh: '不合格，须整改', en: 'Failed: corrective action required' }) }
    return { id: row.id, tone: 'error', cells }
  }
  const days = daysSince(checkDate)
  if (codeOf(result) === 'PENDING' && days > WAITING_DAYS) {
    cells.result = { text: page.i18n({ zh: `待定 ${days} 天`, en: `Pending ${days} d` }), tone: 'warning', className: 'waiting' }
    return { id: row.id, tone: 'warning', className: 'waiting-row', cells }
  }
  return Object.keys(cells).length > 0 ? { id: row.id, cells } : null
}

/** @type {ListScript} */
const script = {
  options: { version: '1.1' },
  hooks: {
    onLoad: ({ rows }, page) => ({ rows: rows.map((row) => highlight(row, page)).filter(Boolean) }),

    // A lot that passed is acceptance evidence: deleting it needs a second confirmation.
    onPreAction: async ({ action, rows }, page) => {
      const passed = rows.filter((row) => codeOf(row.data.result) === 'OK').length
      if (action !== 'delete' || passed === 0) return true
      return page.confirm(
        page.i18n({
          zh: `其中 ${passed} 条已判定合格，是验收的依据。确定要继续删除吗？`,
          en:
            passed === 1
              ? '1 of these lots has passed and is acceptance evidence. Delete anyway?'
              : `${passed} of these lots have passed and are acceptance evidence. Delete anyway?`,
        }),
      )
    },
  },
}

export default script
