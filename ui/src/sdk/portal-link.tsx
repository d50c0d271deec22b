import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { isSafeAddress } from '@/lib/address'
import { type PortalTarget, usePortal } from './portal'
import { useFormState } from './record-link'

interface Props extends PortalTarget {
  children: ReactNode
  className?: string | undefined
  title?: string | undefined
  label?: string | undefined
  /** A record, which opens over the page. */
  record?: boolean
  tabIndex?: number
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
}

/** A link of a widget. Where the page is designed it leads nowhere. */
export function PortalLink({ to, external, newWindow, children, className, title, label, record, ...more }: Props) {
  const { handle } = usePortal()
  const state = useFormState()
  if (!to || !isSafeAddress(to))
    return (
      <span className={className} title={title} data-dead>
        {children}
      </span>
    )
  const stays = (event: MouseEvent) => {
    if (handle.mode === 'design') event.preventDefault()
  }
  const shared = {
    className,
    title,
    onClick: stays,
    ...(label ? { 'aria-label': label } : {}),
    ...(newWindow ? { target: '_blank', rel: 'noopener noreferrer' } : {}),
    ...more,
  }
  if (external || to.startsWith('https://'))
    return (
      <a href={to} rel="noopener noreferrer" {...shared}>
        {children}
      </a>
    )
  return (
    <Link to={to} {...(record && !newWindow ? { state } : {})} {...shared}>
      {children}
    </Link>
  )
}
