import styles from './app-badge.module.css'
import { Avatar } from './avatar'
import { Icon, isIcon } from './icon'

interface Props {
  code: string
  name: string
  icon?: string | null
  color?: string | null
  logo?: string | null
  size?: number
}

/** An application: its logo, else its icon on its color, else the beginning of its name on a color that its code decides in every language. */
export function AppBadge({ code, name, icon, color, logo, size = 32 }: Props) {
  const drawn = icon && isIcon(icon) ? icon : null
  if (logo || (!drawn && !color))
    return <Avatar name={name.slice(0, 1) || code} tint={code} src={logo ?? null} size={size} square />
  return (
    <span
      className={styles.badge}
      style={{
        width: size,
        height: size,
        fontSize: Math.round(size * 0.52),
        borderRadius: size / 4,
        ...(color && { background: color, color: '#fff' }),
      }}
      aria-hidden="true"
    >
      {drawn ? <Icon name={drawn} size={size / 2} /> : name.slice(0, 1)}
    </span>
  )
}
