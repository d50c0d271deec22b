import { describe, expect, it } from 'vitest'
import { contrast } from './colour'
import { type Appearance, DEFAULT_ACCENT, palette } from './palette'

/** The colors of all themes (runtime/app/branding.go), and some that are harder. */
const themes = [
  '#1f6feb',
  '#4f5bd5',
  '#8250df',
  '#c7388f',
  '#d6403f',
  '#e0702a',
  '#c48a1a',
  '#2f9e5b',
  '#1298a6',
  '#3a4554',
]
const accents = [DEFAULT_ACCENT, ...themes, '#f5b301', '#101820']
const cases = (['light', 'dark'] as Appearance[]).flatMap((appearance) =>
  accents.map((accent) => [appearance, accent] as const),
)

describe.each(cases)('the %s palette with accent %s', (appearance, accent) => {
  const c = palette(appearance, accent)
  const grounds = { surface: c.surface, page: c.page, raised: c.raised, hover: c.hover, accentSoft: c.accentSoft }
  const texts = ['text', 'secondary', 'faintText', 'accentText', 'goodText', 'warnText', 'badText'] as const

  it('reads on every ground (WCAG AA, 4.5)', () => {
    const poor = texts.flatMap((name) =>
      Object.entries(grounds)
        .filter(([, ground]) => contrast(c[name], ground) < 4.5)
        .map(([ground, value]) => `${name} on ${ground}: ${contrast(c[name], value).toFixed(2)}`),
    )
    expect(poor).toEqual([])
  })

  it('reads on its own fills', () => {
    expect(contrast(c.onAccent, c.accentFill)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(c.onBad, c.badText)).toBeGreaterThanOrEqual(4.5)
    for (const fill of [c.accentHover, c.accentPressed]) expect(contrast(c.onAccent, fill)).toBeGreaterThanOrEqual(4.5)
    for (const fill of [c.badHover, c.badPressed]) expect(contrast(c.onBad, fill)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(c.warnText, c.warnSoft)).toBeGreaterThanOrEqual(4.5)
  })

  it('shows where something can be typed (3)', () => {
    for (const ground of [c.surface, c.page, c.raised]) expect(contrast(c.control, ground)).toBeGreaterThanOrEqual(3)
  })

  it('shows the mark of the theme in the dark (3)', () => {
    if (appearance === 'dark') expect(contrast(c.accent, c.surface)).toBeGreaterThanOrEqual(3)
  })

  it('shows the focus (3)', () => {
    for (const ground of Object.values(grounds)) expect(contrast(c.focus, ground)).toBeGreaterThanOrEqual(3)
  })
})
