import { Icon, type IconName } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import styles from './application.module.css'

const ICONS: IconName[] = [
  'grid',
  'home',
  'folder',
  'file',
  'book',
  'table',
  'tree',
  'chart',
  'calendar',
  'clock',
  'user',
  'inbox',
  'check',
  'clip',
  'camera',
  'globe',
  'key',
  'pin',
  'talk',
  'bell',
  'monitor',
  'panel',
  'edit',
  'alert',
]

const COLORS = [
  '#1677ff',
  '#0e8a7d',
  '#3c8f3f',
  '#a8760c',
  '#c4541a',
  '#c4383a',
  '#b83a80',
  '#7a4fc9',
  '#4b5b8c',
  '#5b6675',
]

interface Props {
  value: string
  onChange: (value: string) => void
}

/** Choices that are seen: radio buttons that look like what they choose. */
export function IconChoice({ value, onChange }: Props) {
  const t = useText()
  return (
    <fieldset className={styles.looks}>
      <legend>{t('application.icon')}</legend>
      {['', ...ICONS].map((icon) => (
        <label key={icon} className={styles.look} title={icon || t('application.noIcon')}>
          <input
            type="radio"
            name="icon"
            aria-label={icon || t('application.noIcon')}
            checked={value === icon}
            onChange={() => onChange(icon)}
          />
          {icon ? <Icon name={icon as IconName} /> : <span className={styles.none} />}
        </label>
      ))}
    </fieldset>
  )
}

export function ColorChoice({ value, onChange }: Props) {
  const t = useText()
  const colors = value && !COLORS.includes(value) ? [value, ...COLORS] : COLORS
  return (
    <fieldset className={styles.looks}>
      <legend>{t('application.color')}</legend>
      {['', ...colors].map((color) => (
        <label key={color} className={styles.look} title={color || t('application.noColor')}>
          <input
            type="radio"
            name="color"
            aria-label={color || t('application.noColor')}
            checked={value === color}
            onChange={() => onChange(color)}
          />
          {color ? <span className={styles.swatch} style={{ background: color }} /> : <span className={styles.none} />}
        </label>
      ))}
    </fieldset>
  )
}
