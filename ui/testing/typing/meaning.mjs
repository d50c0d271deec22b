// What a text means, worked out in another way than the product does: by the shape of the text (how many digits stand between which
// marks), looked up among shapes that are written down here; and texts to try it with.

const FULL = '０１２３４５６７８９－／．：　，'
const PLAIN = '0123456789-/.: ,'
const NAMES = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

const cross = (...lists) => lists.reduce((all, list) => all.flatMap((one) => list.map((next) => one + next)), [''])
const set = (...lists) => new Set(lists.flat())

const DAY = set(['8'], cross(['4'], [...'-/.年'], ['1', '2'], [...'-/.月'], ['1', '2'], ['', '日', '号']))
const SHORT = set(cross(['2年'], ['1月', '2月'], ['1', '2'], ['', '日', '号']))
const LAST = set(cross(['1', '2'], [...'-/.'], ['1', '2'], [...'-/.'], ['4']))
const YEARLESS = set(['4'], cross(['1', '2'], [...'-/.月'], ['1', '2'], ['', '日', '号']))
const MONTH = set(['6'], cross(['4'], [...'-/.年'], ['1', '2'], ['', '月']))
const CLOCK = set(
  ['1', '2', '3', '4', '5', '6'],
  cross(['1', '2'], ['.2', '.2.2', '.1']),
  cross(['1', '2'], ['点', '时'], ['', '半', '整']),
  cross(['1', '2'], [...':点时'], ['1', '2'], ['', '分']),
  cross(['1', '2'], [...':点时'], ['1', '2'], [...':分'], ['1', '2'], ['', '秒', '分', '秒分']),
)

const pad = (n, width = 2) => String(n).padStart(width, '0')
const digits = (text) => (text.match(/\d+/g) ?? []).map(Number)
const shapeOf = (text) => text.replace(/\d+/g, (run) => (run.length < 10 ? String(run.length) : '?'))

function date(year, month, day) {
  const at = new Date(0)
  at.setUTCFullYear(year, month - 1, day)
  const same = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return same && year > 0 ? `${pad(year, 4)}-${pad(month)}-${pad(day)}` : null
}

function namedDay(text) {
  const words = text.toLowerCase().split(/[\s,-]+/)
  const order = /^\d{1,2}[- ]?[a-z]+,?[- ]?\d{4}$/i.test(text)
    ? 'dmy'
    : /^[a-z]+ ?\d{1,2},?[- ]?\d{4}$/i.test(text)
      ? 'mdy'
      : null
  if (!order || words.length > 3) return null
  const name = /[a-z]+/i.exec(text)[0].toLowerCase()
  const [day, year] =
    /^(\d+)\D+(\d+)$/
      .exec(text.replace(/[a-z]+/i, order === 'dmy' ? ' ' : '').trim())
      ?.slice(1)
      .map(Number) ?? []
  const month = NAMES.findIndex((one) => name.length > 2 && one.startsWith(name)) + 1
  return month > 0 && year !== undefined ? date(year, month, day) : null
}

function day(text, year) {
  const shape = shapeOf(text)
  const [a, b, c] = digits(text)
  if (shape === '8') return date(Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6)))
  if (DAY.has(shape)) return date(a, b, c)
  if (SHORT.has(shape)) return date(a + (a < 70 ? 2000 : 1900), b, c)
  if (LAST.has(shape)) return a > 12 || a === b ? date(c, b, a) : b > 12 ? date(c, a, b) : null
  if (year !== null && shape === '4') return date(year, Number(text.slice(0, 2)), Number(text.slice(2)))
  if (year !== null && YEARLESS.has(shape)) return date(year, a, b)
  return /[a-z]/i.test(text) ? namedDay(text) : null
}

function clock(text) {
  const half = /^(上午|下午|am|pm)/i.exec(text)?.[0] ?? ''
  const tail = /(am|pm)$/i.exec(text.slice(half.length))?.[0] ?? ''
  if (half && tail) return null
  const plain = text.slice(half.length, text.length - tail.length).replace(/^ | $/g, '')
  const shape = shapeOf(plain)
  if (!CLOCK.has(shape)) return null
  let [hour, minute = 0, second = 0] = digits(plain)
  if (/^[3-6]$/.test(shape)) {
    const even = plain.length % 2 ? `0${plain}` : plain
    ;[hour, minute, second] = [even.slice(0, 2), even.slice(2, 4), even.slice(4) || '0'].map(Number)
  } else if (/\.1$/.test(shape)) minute *= 6
  else if (plain.endsWith('半')) minute = 30
  const word = (half || tail).toLowerCase()
  if (word) {
    if (hour < 1 || hour > 12) return null
    hour = (hour % 12) + (word === '下午' || word === 'pm' ? 12 : 0)
  }
  return hour < 24 && minute < 60 && second < 60 ? `${pad(hour)}:${pad(minute)}:${pad(second)}` : null
}

/** A day and a time: wherever the text can be cut in two such that both are one. */
function moment(text, year) {
  const whole = day(text, year)
  if (whole) return [whole, '00:00:00']
  if (/^(\d{12}|\d{14})$/.test(text)) {
    const [one, two] = [day(text.slice(0, 8), null), clock(text.slice(8))]
    return one && two ? [one, two] : null
  }
  for (let i = 1; i < text.length; i++) {
    const gap = text[i] === ' ' || text[i] === 'T'
    if (!gap && !'日号'.includes(text[i - 1])) continue
    const [one, two] = [day(text.slice(0, i), year), clock(text.slice(gap ? i + 1 : i))]
    if (one && two) return [one, two]
  }
  return null
}

/**
 * What a text says in a box of a kind: the stored form, of moments the local time, to the second and perhaps its fraction; null for a
 * text that says nothing. Moments before the year 1000 are no values.
 */
export function meaning(text, kind, today) {
  const plain = [...text]
    .map((char) => (FULL.includes(char) ? PLAIN[FULL.indexOf(char)] : char))
    .join('')
    .trim()
    .replace(/ +/g, ' ')
    .replace(/ ?([-/.:,年月时点分]) ?/g, '$1')
    .replace(/ ([日号])/g, '$1')
  const year = Number(today.slice(0, 4))
  if (kind === 'time') return clock(plain)
  if (kind === 'date') return moment(plain, year)?.[0] ?? null
  if (kind === 'moment') {
    const [, before, fraction = ''] = /^(.*:\d{1,2}[:分]\d{1,2})(\.\d{1,9})$/.exec(plain) ?? [null, plain]
    const found = moment(before, year)
    return found && found[0] >= '1000'
      ? `${found[0]} ${found[1]}${fraction.replace(/0+$/, '').slice(0, 4).replace(/^\.$/, '')}`
      : null
  }
  if (kind !== 'month') throw new Error(kind)
  const shape = shapeOf(plain)
  const [a, b] = digits(plain)
  if (shape === '6') return date(Number(plain.slice(0, 4)), Number(plain.slice(4)), 1)
  if (MONTH.has(shape)) return date(a, b, 1)
  if (/^2年[12]月$/.test(shape)) return date(a + (a < 70 ? 2000 : 1900), b, 1)
  if (/^[12]月?$/.test(shape)) return date(year, a, 1)
  const name = /^([a-z]{3,9})[- ,]?(\d{4})$/i.exec(plain)
  if (name) return date(Number(name[2]), NAMES.findIndex((one) => one.startsWith(name[1].toLowerCase())) + 1, 1)
  const full = moment(plain, null)?.[0]
  return full?.endsWith('-01') ? full : null
}

/** Numbers below 1 that are the same in each run. */
function random(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const DATES = [
  'Y-MM-DD',
  'Y/MM/DD',
  'Y.M.D',
  'Y-M-D',
  'YMMDD',
  'MMDD',
  'MM-DD',
  'M-D',
  'M/D',
  'M.D',
  'Y年M月D日',
  'M月D日',
  'y年M月D日',
  'DD/MM/Y',
  'N D, Y',
  'D-N-Y',
  'D N Y',
]
const TIMES = [
  'h:mm',
  'hh:mm',
  'hhmm',
  'hmm',
  'h.mm',
  'h.t',
  'hh:mm:ss',
  'h点m',
  'h点mm分',
  'h点半',
  'h时mm分ss秒',
  'h',
  'hpm',
  'h:mm PM',
  '上午h:mm',
  '下午h点',
]
const FORMS = {
  date: DATES,
  month: ['Y-MM', 'Y-M', 'YMM', 'Y年M月', 'Y/MM', 'Y.M', 'M', 'M月', 'N Y', 'Y-MM-01'],
  time: TIMES,
  moment: [
    ...DATES,
    ...DATES.flatMap((one) => [`${one} h:mm`, `${one} hhmm`, `${one} hh:mm:ss`]),
    'YMMDDhhmm',
    'Y年M月D日h点mm分',
  ],
}
const SIGNS = [...'0123456789-/.:年月日点 aT']

/** Texts to type: as people write them, with slips, and without any sense. */
export function lines(kind, count, seed) {
  const chance = random(seed)
  const upTo = (n) => Math.floor(chance() * n)
  const pick = (list) => list[upTo(list.length)]
  const wide = (text) => [...text].map((char) => (PLAIN.includes(char) ? FULL[PLAIN.indexOf(char)] : char)).join('')
  const written = () => {
    // Now and then a month, a day or an hour that no calendar and no clock has.
    const [month, date, hour, minute] = [1 + upTo(13), 1 + upTo(31), upTo(25), upTo(61)]
    const name = NAMES[(month - 1) % 12]
    const parts = {
      Y: String(pick([1999, 2024, 2025, 2026, 2026, 2027, 2100])),
      y: pad(upTo(100)),
      MM: pad(month),
      M: String(month),
      DD: pad(date),
      D: String(date),
      N: (chance() < 0.5 ? name : name.slice(0, 3)).replace(/^./, (first) => first.toUpperCase()),
      hh: pad(hour),
      h: String(hour),
      mm: pad(minute),
      m: String(minute),
      ss: pad(minute),
      t: String(upTo(10)),
    }
    return pick(FORMS[kind]).replace(/MM|DD|hh|mm|ss|[YyMDNhmt](?![Ma-z])|[hm](?=p)/g, (token) => parts[token] ?? token)
  }
  const slipped = () => {
    const text = [...written()]
    const at = upTo(text.length)
    const how = chance()
    if (how < 0.4) text.splice(at, 1)
    else if (how < 0.7) text.splice(at, 0, pick(SIGNS))
    else text[at] = pick(SIGNS)
    return text.join('')
  }
  const senseless = () => Array.from({ length: 1 + upTo(9) }, () => pick(SIGNS)).join('')
  return Array.from({ length: count }, () => {
    const way = chance()
    const text = way < 0.45 ? written() : way < 0.55 ? wide(written()) : way < 0.8 ? slipped() : senseless()
    return text.trim() === '' ? '0' : text
  })
}
