import { FastColor } from '@ant-design/fast-color'
import type { CSSProperties } from 'react'
import { type Appearance, palette } from '@/lib/palette'
import type { PortalSettings, PortalStyle } from '@/sdk/portal'

const RADIUS = { none: 0, small: 4, medium: 8, big: 16 } as const

const kebab = (key: string) => key.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)

/** An address within CSS: nothing in it ends the text. */
const image = (src: string) =>
  `url("${src.replace(/["\\\n\r\f]/g, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`)}")`

/** The colors of the other appearance, where a ground of the author's own needs them: light texts are not read on white. */
function otherColors(ground: string, appearance: Appearance): Record<string, string> {
  const color = new FastColor(ground)
  if (!color.isValid || color.a < 0.5) return {}
  const needed: Appearance = color.isDark() ? 'dark' : 'light'
  if (needed === appearance) return {}
  return Object.fromEntries(Object.entries(palette(needed)).map(([key, value]) => [`--${kebab(key)}`, value]))
}

/** What a text color of the author's own changes: notes and lines are steps of it. */
const textColors = (color: string) => ({
  '--text': color,
  '--secondary': `color-mix(in srgb, ${color} 76%, transparent)`,
  '--faint-text': `color-mix(in srgb, ${color} 70%, transparent)`,
  '--line': `color-mix(in srgb, ${color} 14%, transparent)`,
  '--hover': `color-mix(in srgb, ${color} 7%, transparent)`,
})

/** The border of light pages, where a widget says nothing of its own. */
const BORDER = '#E4E7EE'

/** How a box looks: what its author wrote, else the theme. */
export function boxLook(style: PortalStyle, appearance: Appearance): CSSProperties {
  const { backgroundColor, backgroundImgSrc, borderStyle, borderThickness, borderColor, textColor, textThickness } =
    style
  return {
    ...(backgroundColor ? { ...otherColors(backgroundColor, appearance), background: backgroundColor } : {}),
    ...(backgroundColor ? { '--surface': backgroundColor } : {}),
    ...(backgroundImgSrc
      ? { backgroundImage: image(backgroundImgSrc), backgroundSize: 'cover', backgroundPosition: 'center' }
      : {}),
    ...(textColor ? { ...textColors(textColor), color: textColor } : {}),
    ...(borderStyle === 'none'
      ? {}
      : {
          border: `${Math.max(0, borderThickness)}px ${borderStyle} ${borderColor ?? (appearance === 'light' ? BORDER : 'var(--line)')}`,
        }),
    ...(textThickness === 'bold' ? { fontWeight: 600 } : {}),
    borderRadius: RADIUS[style.borderRadius],
  } as CSSProperties
}

/** How the page itself looks. */
export function pageLook(page: PortalSettings, appearance: Appearance): CSSProperties {
  const { backgroundColor, backgroundImgSrc, overflow } = page
  return {
    ...(backgroundColor ? { ...pageColors(backgroundColor, appearance), background: backgroundColor } : {}),
    ...(backgroundImgSrc
      ? { backgroundImage: image(backgroundImgSrc), backgroundSize: 'cover', backgroundPosition: 'center top' }
      : {}),
    overflow,
  } as CSSProperties
}

// Boxes on the page have grounds of their own: only texts that stand on the page itself follow it.
const pageColors = (ground: string, appearance: Appearance) => {
  const other = otherColors(ground, appearance)
  return other['--text'] ? { '--page-text': other['--text'], '--page-secondary': other['--secondary'] } : {}
}
