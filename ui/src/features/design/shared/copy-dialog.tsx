import { Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { useReturnFocus } from '@/lib/return-focus'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import { isCode } from './begun'

/** The names that documents of all kinds have. */
export interface Named {
  name?: string
  name_i18n?: Record<string, string>
}

interface Props<T extends Named> {
  document: T
  onBegin: (code: string, document: T) => void
  onClose: () => void
}

/** Continues with a copy of a document under another code. */
export function CopyDialog<T extends Named>({ document, onBegin, onClose }: Props<T>) {
  useReturnFocus()
  const t = useText()
  const id = useId()
  const [zh, setZh] = useState(document.name ?? '')
  const [en, setEn] = useState(document.name_i18n?.en ?? '')
  const [code, setCode] = useState('')
  const [asked, setAsked] = useState(false)
  const wrong = {
    zh: zh.trim() ? '' : t('design.nameNeeded'),
    en: '',
    code: isCode(code) ? '' : t('design.codeWrong'),
  }
  const begin = () => {
    setAsked(true)
    if (wrong.zh || wrong.code) return
    const { name_i18n: texts, ...rest } = document
    const others = { ...texts, en: en.trim() }
    onBegin(code, { ...rest, name: zh.trim(), ...(others.en && { name_i18n: others }) } as T)
  }
  const field = (key: keyof typeof wrong, label: string, value: string, set: (text: string) => void) => (
    <div className={styles.field}>
      <label htmlFor={id + key}>{label}</label>
      <Input id={id + key} value={value} maxLength={63} onChange={(event) => set(event.target.value)} />
      {asked && wrong[key] && (
        <span className={styles.wrong} role="alert">
          {wrong[key]}
        </span>
      )}
    </div>
  )
  return (
    <Modal
      open
      title={t('desk.copyTitle')}
      okText={t('design.begin')}
      cancelText={t('common.cancel')}
      onOk={begin}
      onCancel={onClose}
    >
      {field('zh', t('design.nameZh'), zh, setZh)}
      {field('en', t('design.nameEn'), en, setEn)}
      {field('code', t('design.code'), code, (text) => setCode(text.trim()))}
    </Modal>
  )
}
