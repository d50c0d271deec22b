import { toScale } from './decimal'

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
