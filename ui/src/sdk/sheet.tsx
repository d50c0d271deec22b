import { Drawer, Modal } from 'antd'
import { type ReactNode, useRef, useState } from 'react'
import { useReturnFocus } from '@/lib/return-focus'
import { useIsPhone } from '@/lib/use-media'
import { useTyped } from '@/lib/use-typed'
import { useFeedback } from './feedback'
import styles from './sheet.module.css'
import { useText } from './use-text'

interface SheetProps {
  title: ReactNode
  width: number
  onClose: () => void
  footer: ReactNode
  children: ReactNode
}

/**
 * A dialog on a desktop, a sheet from below on a phone; it stays what it was opened as when the window gets wider or narrower. Escape, a press beside it and its cross ask before typed text
 * is lost.
 */
export function Sheet({ title, width, onClose, footer, children }: SheetProps) {
  useReturnFocus()
  const isPhone = useIsPhone()
  const [phone] = useState(isPhone)
  const t = useText()
  const { modal } = useFeedback()
  const content = useRef<HTMLDivElement>(null)
  const { watch, typed } = useTyped()
  const leave = () => {
    if (!typed()) return onClose()
    modal.confirm({
      title: t('form.leaveTitle'),
      content: t('form.leaveDialog'),
      okText: t('form.discard'),
      cancelText: t('form.keepEditing'),
      focusable: { autoFocusButton: 'cancel' },
      okButtonProps: { danger: true },
      onOk: onClose,
    })
  }
  if (phone) {
    return (
      <Drawer
        open
        rootClassName={styles.sheet ?? ''}
        placement="bottom"
        size="auto"
        title={title}
        onClose={leave}
        footer={footer}
        afterOpenChange={(open) => open && focusFirst(content.current, ':not([type="search"])')}
      >
        <div ref={content} className={styles.content} {...watch}>
          {children}
        </div>
      </Drawer>
    )
  }
  return (
    <Modal
      open
      title={title}
      width={`min(${width}px, 94vw)`}
      onCancel={leave}
      footer={footer}
      destroyOnHidden
      // Without motion the dialog is not shown yet when its first field asks for the focus, which then falls on the closing cross.
      afterOpenChange={(open) => open && focusFirst(content.current)}
    >
      <div ref={content} className={styles.content} {...watch}>
        {children}
      </div>
    </Modal>
  )
}

const FIRST = 'input[type="text"], input[type="search"], textarea, button[data-first], [data-first] input:checked'

/** The first field; where there is none, what `data-first` marks. On a phone a first field that searches waits: its keyboard covers what there is to choose. */
function focusFirst(content: HTMLElement | null, only = '*') {
  if (!content || content.contains(document.activeElement)) return
  const first = content.querySelector<HTMLElement>(FIRST)
  if (first?.matches(only)) first.focus()
}
