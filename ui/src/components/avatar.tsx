import { element } from '@/lib/element'
import styles from './avatar.module.css'

const HUES = 8

function hue(name: string): number {
  let sum = 0
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 997
  return sum % HUES
}

/** Chinese names are told apart by their last character, Latin ones by their first. */
function initial(name: string): string {
  const chars = [...name.trim()]
  const last = chars.at(-1) ?? ''
  return /\p{Script=Han}/u.test(last) ? last : (chars[0] ?? '').toUpperCase()
}

const look = (size: number, square: boolean) => ({
  width: size,
  height: size,
  fontSize: Math.round(size * 0.52),
  borderRadius: square ? size / 4 : '50%',
})

export function Avatar({
  name,
  src,
  size = 20,
  square = false,
  tint = name,
}: {
  name: string
  src?: string | null
  size?: number
  square?: boolean
  /** What the color follows where the name changes with the language. */
  tint?: string
}) {
  const style = look(size, square)
  if (src) return <img className={styles.avatar} style={style} src={src} alt="" loading="lazy" />
  return (
    <span className={styles.avatar} style={style} data-hue={hue(tint)} aria-hidden="true">
      {initial(name)}
    </span>
  )
}

/** The same, round, as a plain element. */
export function avatarElement(name: string, src: string | null | undefined, size = 20): HTMLElement {
  const { fontSize } = look(size, false)
  const style = { width: `${size}px`, height: `${size}px`, fontSize: `${fontSize}px`, borderRadius: '50%' }
  const className = styles.avatar
  if (src) return element('img', { className, style, src, alt: '', loading: 'lazy' })
  return element('span', { className, style, 'data-hue': hue(name), 'aria-hidden': true }, initial(name))
}
