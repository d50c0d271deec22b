/** Digits, signs and points as Chinese keyboards type them, in their plain forms. */
export function halfWidth(text: string): string {
  return text
    .replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/[．。]/g, '.')
    .replace(/[－−]/g, '-')
    .replace(/，/g, ',')
}

/** The canonical wire form of a plain decimal ("007.50" → "7.5"); null when the text is none. */
export function canonicalNumber(text: string): string | null {
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text)
  if (!match || (match[2] === '' && !match[3])) return null
  const whole = (match[2] ?? '').replace(/^0+(?=\d)/, '') || '0'
  const fraction = (match[3] ?? '').replace(/0+$/, '')
  const sign = match[1] && (whole !== '0' || fraction !== '') ? '-' : ''
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}

/** Thousands separators in the whole part; the fraction stays as it is. */
export function groupThousands(text: string): string {
  const [whole = '', fraction] = text.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}
