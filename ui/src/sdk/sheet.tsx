import { Drawer, Modal } from 'antd'
import { type ReactNode, useRef } from 'react'
import { useReturnFocus } from '@/lib/return-focus'
import { useIsPhone } from '@/lib/use-media'
import styles from './sheet.module.css'

interface SheetProps {
  title: ReactNode
  width: number
  onClose: () => void
  footer: ReactNode
  children: ReactNode
}

/** A dialog on a desktop, a sheet from below on a phone. */
export function Sheet({ title, width, onClose, footer, children }: SheetProps) {
  useReturnFocus()
  const content = useRef<HTMLDivElement>(null)
  if (useIsPhone()) {
    return (
      <Drawer
        open
        rootClassName={styles.sheet ?? ''}
        placement="bottom"
        size="min(86dvh, 720px)"
        title={title}
        onClose={onClose}
        footer={footer}
      >
        {children}
      </Drawer>
    )
  }
  return (
    <Modal
      open
      title={title}
      width={`min(${width}px, 94vw)`}
      onCancel={onClose}
      footer={footer}
      destroyOnHidden
      // Without motion the dialog is not shown yet when its first field asks for the focus, which then falls on the closing cross.
      afterOpenChange={(open) => open && focusFirst(content.current)}
    >
      <div ref={content} className={styles.content}>
        {children}
      </div>
    </Modal>
  )
}

/** The first field; where there is none, what `data-first` marks. */
function focusFirst(content: HTMLElement | null) {
  if (!content || content.contains(document.activeElement)) return
  content
    .querySelector<HTMLElement>(
      'input[type="text"], input[type="search"], textarea, button[data-first], [data-first] input:checked',
    )
    ?.focus()
}
