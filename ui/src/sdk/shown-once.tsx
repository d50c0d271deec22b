import { Alert, Button, Input } from 'antd'
import type { ReactNode } from 'react'
import { useFeedback } from './feedback'
import styles from './shown-once.module.css'
import { useText } from './use-text'

interface Props {
  title: string
  hint: string
  label: string
  text: string
  children?: ReactNode
  onClose: () => void
}

/** A secret that is shown this once. Where the browser gives no clipboard, as without encryption, its text is selected to be copied by hand. */
export function ShownOnce({ title, hint, label, text, children, onClose }: Props) {
  const t = useText()
  const say = useFeedback()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      say.success(t('account.copied'))
    } catch {
      say.warning(t('account.copyByHand'))
    }
  }
  return (
    <div className={styles.box}>
      <Alert type="success" showIcon title={title} description={hint} />
      <Input.TextArea readOnly autoSize aria-label={label} value={text} onFocus={(event) => event.target.select()} />
      {children}
      <div className={styles.actions}>
        <Button onClick={() => void copy()}>{t('account.copy')}</Button>
        <Button type="primary" onClick={onClose}>
          {t('common.close')}
        </Button>
      </div>
    </div>
  )
}
