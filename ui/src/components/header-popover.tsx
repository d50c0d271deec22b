import { Popover } from 'antd'
import { type ReactNode, useState } from 'react'
import styles from './header-popover.module.css'

interface Props {
  /** What the button is called. */
  label: string
  title?: string
  /** Its own look, beside that of all buttons of the header. */
  className?: string | undefined
  /** The content goes with the popover. */
  fresh?: boolean
  content: (close: () => void) => ReactNode
  children: ReactNode
}

/** A button of the header, and the panel that a press opens below it. */
export function HeaderPopover({ label, title, className = '', fresh = false, content, children }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger="click"
      placement="bottomRight"
      arrow={false}
      destroyOnHidden={fresh}
      content={content(() => setOpen(false))}
    >
      <button
        type="button"
        className={`${styles.button} ${className}`}
        aria-label={label}
        title={title}
        aria-haspopup="dialog"
        aria-expanded={open}
      >
        {children}
      </button>
    </Popover>
  )
}
