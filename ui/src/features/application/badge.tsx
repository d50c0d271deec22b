import { Avatar } from '@/components/avatar'
import { Icon, isIcon } from '@/components/icon'
import styles from './application.module.css'

interface Props {
  code: string
  name: string
  icon: string
  color: string
  size?: number
}

/** The icon of an application on its colour; without an icon the beginning of its name. */
export function Badge({ code, name, icon, color, size = 32 }: Props) {
  if (!isIcon(icon) && !color) return <Avatar name={name.slice(0, 1) || code} tint={code} size={size} square />
  return (
    <span
      className={styles.badge}
      style={{ width: size, height: size, ...(color && { background: color, color: '#fff' }) }}
      aria-hidden="true"
    >
      {isIcon(icon) ? <Icon name={icon} size={size / 2} /> : name.slice(0, 1)}
    </span>
  )
}
