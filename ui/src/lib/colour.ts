type Rgb = readonly [number, number, number]

function parse(hex: string): Rgb {
  const n = Number.parseInt(hex.slice(1), 16)
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255]
}

function format([r, g, b]: Rgb): string {
  return `#${[r, g, b].map((c) => Math.round(c).toString(16).padStart(2, '0')).join('')}`
}

/** `amount` 0 = a, 1 = b. */
export function mix(a: string, b: string, amount: number): string {
  const [x, y] = [parse(a), parse(b)]
  return format([0, 1, 2].map((i) => (x[i] ?? 0) * (1 - amount) + (y[i] ?? 0) * amount) as unknown as Rgb)
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = parse(hex).map((c) => {
    const s = c / 255
    return s <= 0.03928 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast of two colours as WCAG counts it, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** The step of a colour nearest to it that can be read on all grounds; every text colour of a theme comes from here. */
export function readable(colour: string, on: string | string[], ratio = 4.5): string {
  const grounds = [on].flat()
  const towards = luminance(grounds[0] ?? '#ffffff') > 0.4 ? '#000000' : '#ffffff'
  for (let amount = 0; amount < 1; amount += 0.02) {
    const step = mix(colour, towards, amount)
    if (grounds.every((ground) => contrast(step, ground) >= ratio)) return step
  }
  return towards
}
