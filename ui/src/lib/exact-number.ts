/** Exact numbers are texts from the wire to the screen: no float touches them. */

/** Rounded half up (away from zero) to a scale, with all its decimals; null when the text is no number. */
export function toScale(text: string, scale: number): string | null {
  const match = /^([-+]?)(\d*)(?:\.(\d*))?$/.exec(text.trim())
  if (!match || (!match[2] && !match[3])) return null
  const [, sign = '', whole = '', fraction = ''] = match
  const digits = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0') || '0')
  const up = Number(fraction[scale] ?? '0') >= 5 ? 1n : 0n
  const rounded = (digits + up).toString().padStart(scale + 1, '0')
  const value = scale ? `${rounded.slice(0, -scale)}.${rounded.slice(-scale)}` : rounded
  return sign === '-' && /[1-9]/.test(value) ? `-${value}` : value
}

/** Thousands separators; the sign becomes a true minus. */
export function group(text: string): string {
  const [whole = '', fraction] = text.replace('-', '').split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${text.startsWith('-') ? '−' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}

/** The point moved to the right, for percentages. */
export function shift(text: string, places: number): string {
  const negative = text.startsWith('-')
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const padded = fraction.padEnd(places, '0')
  const left = (whole + padded.slice(0, places)).replace(/^0+(?=\d)/, '')
  const right = padded.slice(places)
  return `${negative ? '-' : ''}${left}${right ? `.${right}` : ''}`
}

const DIGITS = '零壹贰叁肆伍陆柒捌玖'
const UNITS = ['', '拾', '佰', '仟']
const GROUPS = ['', '万', '亿', '万亿', '亿亿', '万亿亿']

function four(digits: string): string {
  return [...digits]
    .map((digit, i) => (digit === '0' ? '零' : DIGITS[Number(digit)] + (UNITS[digits.length - 1 - i] ?? '')))
    .join('')
    .replace(/零+/g, '零')
    .replace(/零$/, '')
}

/** An amount in Chinese capitals: 壹佰贰拾叁元肆角伍分. */
export function capitals(text: string): string {
  const amount = toScale(text, 2)
  if (amount === null) return text
  const [whole = '0', cents = '00'] = amount.replace('-', '').split('.')
  const groups = whole.padStart(Math.ceil(whole.length / 4) * 4, '0').match(/\d{4}/g) ?? []
  const yuan = groups
    .map((digits, i) => {
      const words = four(digits)
      return words ? words + (GROUPS[groups.length - 1 - i] ?? '') : '零'
    })
    .join('')
    .replace(/零+/g, '零')
    .replace(/^零|零$/g, '')
  const [jiao = '0', fen = '0'] = cents
  const small =
    (jiao === '0' ? (fen === '0' || !yuan ? '' : '零') : `${DIGITS[Number(jiao)]}角`) +
    (fen === '0' ? '' : `${DIGITS[Number(fen)]}分`)
  const head = yuan ? `${yuan}元` : small ? '' : '零元'
  return `${amount.startsWith('-') ? '负' : ''}${head}${small || '整'}`
}
