import { element } from '@/lib/element'
import styles from './option-dot.module.css'

const NAMED: Record<string, string> = {
  green: '#3fa45b',
  red: '#d9534f',
  orange: '#e0803a',
  gold: '#d1a126',
  blue: '#3b82d6',
  cyan: '#2aa5a5',
  purple: '#8a63d2',
  volcano: '#d9663a',
  magenta: '#c94f8f',
  lime: '#8aaf2b',
  geekblue: '#5068d6',
  gray: '#98a2b0',
  grey: '#98a2b0',
  yellow: '#c9a800',
}

/** The color of an option, #rrggbb: one of the names above, or a color as it is. */
export const optionColor = (color: string | null | undefined): string =>
  color ? (NAMED[color] ?? (/^#[0-9a-f]{6}$/i.test(color) ? color : '#98a2b0')) : '#98a2b0'

/** A state: a dot in its color, and its word. Color never is alone. */
export function OptionDot({ label, color }: { label: string; color?: string | null }) {
  return (
    <span className={styles.state}>
      <i className={styles.dot} style={{ background: optionColor(color) }} />
      <span className={styles.word} title={label}>
        {label}
      </span>
    </span>
  )
}

/** One of several choices: a tag with its color at the edge. */
export function OptionTag({ label, color }: { label: string; color?: string | null }) {
  return (
    <span className={styles.tag}>
      {color && <i className={styles.dot} style={{ background: optionColor(color) }} />}
      <span className={styles.word} title={label}>
        {label}
      </span>
    </span>
  )
}

const dotElement = (color: string | null | undefined) =>
  element('i', { className: styles.dot, style: { background: optionColor(color) } })
const wordElement = (label: string) => element('span', { className: styles.word, title: label }, label)

/** Both as plain elements. */
export const optionDot = (label: string, color?: string | null) =>
  element('span', { className: styles.state }, dotElement(color), wordElement(label))

export const optionTag = (label: string, color?: string | null) =>
  element('span', { className: styles.tag }, color && dotElement(color), wordElement(label))
