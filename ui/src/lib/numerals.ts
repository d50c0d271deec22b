const DIGIT = '〇○零一壹二两兩贰貳弍三叁叄參参四肆五伍六陆陸七柒八捌九玖'
const VALUES = '00011222222333334455666778899'
const WORDS: Record<string, string> = {
  拾: '十',
  佰: '百',
  仟: '千',
  萬: '万',
  億: '亿',
  圆: '元',
  圓: '元',
  正: '整',
  點: '点',
  負: '负',
  號: '号',
  時: '时',
}
const UNITS: Record<string, number> = { 十: 10, 百: 100, 千: 1e3, 万: 1e4, 亿: 1e8 }

const plain = (text: string) => text.replace(/[^\x20-\x7f]/g, (one) => VALUES[DIGIT.indexOf(one)] ?? WORDS[one] ?? one)

/** A text with none of these has only plain digits. */
const NAMED = /[〇○零一二三四五六七八九两兩十百千壹贰貳弍叁叄參参肆伍陆陸柒捌玖拾佰仟]|[万萬亿億].*\d|[元圆圓]./
/** Figures beside each other: a year to one reader, three or four to another. */
const ONE_BY_ONE = new RegExp(`[${DIGIT.slice(3)}][${DIGIT}]`)

/** A whole number in figures and units. A figure behind a unit that is not the next smaller one needs a zero before it. */
function wholeOf(text: string): number | undefined {
  if (text === '0') return 0
  let [total, section, last, zero] = [0, 0, 1e16, false]
  let digit: number | undefined
  const ones = (end: boolean) => {
    if (digit === undefined) return !zero
    const behind = section > 0 || (end && total > 0)
    if (behind && (digit > 9 || (last !== 10 && !zero))) return false
    section += digit
    digit = undefined
    zero = false
    return true
  }
  for (const one of text.match(/0|[1-9]\d*|\D/g) ?? []) {
    const unit = UNITS[one]
    if (one === '0') {
      if (digit !== undefined || last === 1e16) return undefined
      zero = true
    } else if (/\d/.test(one)) {
      if (digit !== undefined || Number(one) > 9999) return undefined
      digit = Number(one)
    } else if (unit === undefined) return undefined
    else if (unit < 1e4) {
      if (digit === undefined && unit === 10) digit = 1
      if (digit === undefined || digit > 9 || unit >= last || (zero && unit * 10 >= last)) return undefined
      section += digit * unit
      digit = undefined
      last = unit
      zero = false
    } else {
      if (!ones(false) || (unit === 1e4 ? total % 1e8 > 0 : total >= 1e8) || total + section === 0) return undefined
      total = unit === 1e4 ? total + section * unit : (total + section) * unit
      section = 0
      last = unit
    }
  }
  return ones(true) && text !== '' ? total + section : undefined
}

function decimalOf(text: string): string | undefined {
  const [whole = '', fraction, more] = text.split('点')
  if (fraction === undefined && /^[\d.,]+$/.test(text)) return text
  const n = wholeOf(whole)
  if (n === undefined || more !== undefined || (fraction !== undefined && !/^\d+$/.test(fraction))) return undefined
  return fraction === undefined ? String(n) : `${n}.${fraction}`
}

/**
 * A number in Chinese numerals in digits, and by how many places its point moves: 一百二十三, 壹佰贰拾叁, 3万5千, 三点一四, 百分之五, and with
 * `money` 壹佰元伍角整; undefined for other texts and for those that can mean two numbers. The server reads alike (Numeral in
 * plugins/core/property/internal/spelling).
 */
export function numeral(text: string, money: boolean): { digits: string; places: number } | undefined {
  if (!NAMED.test(text) || ONE_BY_ONE.test(text.split('点')[0] as string)) return undefined
  const [, minus, rest = ''] = /^([负-]?)(.*)$/.exec(plain(text.replaceAll(' ', ''))) ?? []
  const part = /^([百千])分之(.+)$/.exec(rest)
  const amount = /^(?:(.+)元)?0?(?:(\d)角)?0?(?:(\d)分)?整?$/.exec(rest)
  let digits: string | undefined
  if (part) digits = decimalOf(part[2] as string)
  else if (money && amount && /[元角分]/.test(rest)) {
    digits = amount[1] === undefined ? '0' : decimalOf(amount[1])
    if (amount[2] ?? amount[3])
      digits = digits?.includes('.') || !digits ? undefined : `${digits}.${amount[2] ?? 0}${amount[3] ?? ''}`
  } else digits = decimalOf(rest)
  if (digits === undefined) return undefined
  return { digits: (minus ? '-' : '') + digits, places: part ? (part[1] === '百' ? -2 : -3) : 0 }
}

const DATED = new RegExp(`([\\d${DIGIT}十拾百佰千仟元]+) ?([年月日号號时時点點分秒]|$)`, 'g')

/**
 * The Chinese numerals of a date or a time as digits, and years of the Republic of China as those of the common calendar (arabic of the
 * server).
 */
export function arabic(text: string): string {
  const digits = text.replace(DATED, (part, given: string, mark: string) => {
    const [word, t] = [WORDS[mark] ?? mark, plain(given)]
    if (t === '元' && /[年月]/.test(word)) return `1${word}`
    if (/^\d*$/.test(t) && (word === '年' || t === given)) return t + word
    const n = ONE_BY_ONE.test(given) ? undefined : wholeOf(t.length > 1 ? t.replace(/^0/, '') : t)
    return n === undefined ? part : n + word
  })
  const found = /^(?:公元|西元|((?:中华|中華)?民[国國])) ?(\d{1,4})( ?[-/.年].*)$/.exec(digits)
  if (!found || (found[1] && Number(found[2]) === 0)) return digits
  return (found[1] ? Number(found[2]) + 1911 : found[2]) + (found[3] as string)
}
