/** Exact sums of canonical decimals of at most eight fraction digits, as texts. */
const digits = 8

function scaled(text: string): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d{1,8}))?$/.exec(text)
  if (!match) return null
  const value = BigInt((match[2] ?? '0') + (match[3] ?? '').padEnd(digits, '0'))
  return match[1] ? -value : value
}

function plain(value: bigint): string {
  const negative = value < 0n
  const text = (negative ? -value : value).toString().padStart(digits + 1, '0')
  const fraction = text.slice(-digits).replace(/0+$/, '')
  return `${negative ? '-' : ''}${text.slice(0, -digits)}${fraction ? `.${fraction}` : ''}`
}

/** The sum of what is a decimal among the values; null when nothing is. */
export function exactSum(values: unknown[]): string | null {
  const found = values.flatMap((value) => (typeof value === 'string' ? (scaled(value) ?? []) : []))
  return found.length === 0 ? null : plain(found.reduce((sum, value) => sum + value, 0n))
}
