import { visible } from '@sluice/sdk'

/** A check item with the bounds that its points are compared with. */
export interface Item {
  id: string
  name: string
  itemClass: string
  method: string
  unit: string
  devLow: string | null
  devHigh: string | null
  limitLow: string | null
  limitHigh: string | null
  minPoints: number
}

const words = (text: string) => new Set(text.split(' '))
/** What people answer where something is judged by a look. readings.go has the same words. */
const YES = words(
  '1 yes y true t ok pass passed √ ✓ ✔ ☑ 是 对 合格 通过 符合 符合要求 符合规定 符合设计 符合设计要求 符合规范要求 符合设计及规范要求 符合设计和规范要求 满足 满足要求 满足设计要求 满足规范要求',
)
const NO = words(
  '0 no n false f fail failed × ✗ ✘ x 否 不是 错 不合格 不通过 未通过 不符合 不符合要求 不符合规定 不符合设计要求 不符合规范要求 不满足 不满足要求 不满足设计要求 不满足规范要求 未满足要求',
)
const MEASURED = /^([+-]?(?:\d{1,12}(?:\.\d{0,8})?|\.\d{1,8}))(.*)$/
const plainUnit = (text: string) => text.normalize('NFKC').replace(/\s+/g, '').toLowerCase()

/**
 * Readings as people write them, one or many: "12; 15, -3", with the unit of the item behind them or not; 1 and 0 for the answers to an item of
 * the method YESNO. Null when a part is none, and for 12,5 or ±3: nobody knows which of two it is. The server reads the same.
 */
export function readings(text: string, method: string, unit: string): string[] | null {
  const plain = visible(text)
    .replace(/[，、；]/g, ';')
    .replace(/[−–‒]/g, '-')
    .replaceAll('。', '.')
    .normalize('NFKC')
    .trim()
  if (/\d,\d/.test(plain) && (/[;\s]/.test(plain) || plain.indexOf(',') === plain.lastIndexOf(','))) return null
  const out: string[] = []
  let bare = false // the part before is a number without a unit
  for (const part of plain.split(/[;,\s]+/).filter(Boolean)) {
    if (method === 'YESNO') {
      const word = part.replace(/\.+$/, '').toLowerCase()
      if (!YES.has(word) && !NO.has(word)) return null
      out.push(YES.has(word) ? '1' : '0')
      continue
    }
    const ofItem = (written: string) => unit !== '' && plainUnit(written) === plainUnit(unit)
    if (bare && ofItem(part)) {
      bare = false
      continue
    }
    const [, number = '', behind = ''] = MEASURED.exec(part) ?? []
    if (number === '' || (behind !== '' && !ofItem(behind))) return null
    out.push(number.replace(/^\+/, '').replace(/\.$/, ''))
    bare = behind === ''
  }
  return out
}

/** Readings as a record keeps them: numbers, and answers as ticks, which forms and prints show as they are in every language. */
export const writtenReadings = (method: string | undefined, values: readonly string[]) =>
  (method === 'YESNO' ? values.map((value) => (value === '1' ? '✓' : '✗')) : values).join('; ')

/** Readings in words: answers as yes and no. What cannot be read is shown as it is. */
export function shownReadings(text: string, method: string, words: { yes: string; no: string }): string {
  const answers = method === 'YESNO' ? readings(text, method, '') : null
  return answers ? answers.map((value) => (value === '1' ? words.yes : words.no)).join('; ') : text
}

/** Numbers alone, as a design value is typed. */
export const readNumbers = (text: string) => readings(text, 'POINT', '')

/** Whether a point is in tolerance; the server's judgment is the one that counts. */
export function inTolerance(item: Item, design: string, value: string): boolean {
  const reading = Number(value)
  if (item.method === 'YESNO') return reading !== 0
  const deviation = reading - (Number(design) || 0)
  const within = (low: string | null, high: string | null, at: number) =>
    (low === null || at >= Number(low)) && (high === null || at <= Number(high))
  return within(item.devLow, item.devHigh, deviation) && within(item.limitLow, item.limitHigh, reading)
}

/** "−5 … +10", "±10", and with one bound "≤ 8": the tolerance as norms write it. */
export function toleranceText({ devLow, devHigh, limitLow, limitHigh }: Item): string {
  const deviates = devLow !== null || devHigh !== null
  const [low, high] = deviates ? [devLow, devHigh] : [limitLow, limitHigh]
  const signed = (text: string) => (deviates && Number(text) > 0 ? `+${text}` : text.replace('-', '−'))
  if (low !== null && high !== null)
    return Number(low) === -Number(high) ? `±${high}` : `${signed(low)} … ${signed(high)}`
  const [sign, bound] = low !== null ? ['≥', low] : ['≤', high]
  return bound === null ? '' : `${sign} ${bound.replace('-', '−')}`
}
