import { Icon, type IconName, isIcon } from '@/components/icon'

interface Props {
  /** As the document has it: the name of an icon, or a picture. */
  name?: string | null | undefined
  /** The address of the picture. */
  src?: string | null | undefined
  size: number
  /** Drawn for names that nobody knows. */
  otherwise?: IconName
  className?: string | undefined
}

/** The icon of a widget or an entry. */
export function PortalIcon({ name, src, size, otherwise, className }: Props) {
  if (src)
    return <img className={className} src={src} alt="" width={size} height={size} style={{ objectFit: 'cover' }} />
  const known = isIcon(name) ? name : otherwise
  return known ? <Icon name={known} size={size} {...(className ? { className } : {})} /> : null
}
