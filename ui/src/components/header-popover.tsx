import { Popover } from 'antd'
import { type ReactNode, useState } from 'react'
import styles from './header-popover.module.css'

interface Props {
  /** What the button is called. */
  label: string
  title?: string
  /** What the panel is called. */
  panel: string
  /** Its own look, beside that of all buttons of the header. */
  className?: string | undefined
  content: (close: () => void) => ReactNode
  children: ReactNode
}

/** A button of the header, and the panel that a press opens below it. */
export function HeaderPopover({ label, title, panel, className = '', content, children }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger="click"
      placement="bottomRight"
      arrow={false}
      destroyOnHidden
      content={
        <div role="dialog" aria-label={panel}>
          {content(() => setOpen(false))}
        </div>
      }
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
