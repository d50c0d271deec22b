import { Input, Modal } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { type ReactNode, useRef, useState } from 'react'
import type { FormLoad } from '@/api/types'
import { useText } from '@/sdk/use-text'
import styles from '../form.module.css'
import type { RecordController } from './use-record'

/** How many characters the reason has at most, as the server has it. */
const MOST = 500

/** Asks why what a workflow has approved is changed, before it is saved. What the workflow leaves open is saved without. */
export function useAmend(load: FormLoad, record: RecordController) {
  const [then, setThen] = useState<{ go: () => void; stop: () => void } | null>(null)
  const closed = load.actions.includes('amend')
    ? Object.keys(record.changes).filter((code) => !load.seal?.open.includes(code))
    : []
  const dialog: ReactNode = then && (
    <Reason
      onGo={(reason) => {
        record.because(reason)
        setThen(null)
        then.go()
      }}
      onStop={() => {
        setThen(null)
        then.stop()
      }}
    />
  )
  const first = (go: () => void, stop: () => void) => (closed.length > 0 ? setThen({ go, stop }) : go())
  return { first, dialog }
}

function Reason({ onGo, onStop }: { onGo: (reason: string) => void; onStop: () => void }) {
  const t = useText()
  const [text, setText] = useState('')
  const [asked, setAsked] = useState(false)
  const missing = text.trim() === ''
  const box = useRef<TextAreaRef>(null)
  const go = () => {
    if (!missing) return onGo(text.trim())
    setAsked(true)
    box.current?.focus()
  }
  return (
    <Modal
      open
      title={t('form.amendTitle')}
      okText={t('form.amendSave')}
      cancelText={t('common.cancel')}
      onOk={go}
      onCancel={onStop}
    >
      <p id="amend-hint" className={styles.reason}>
        {t('form.amendHint')}
      </p>
      <Input.TextArea
        ref={box}
        autoFocus
        autoSize={{ minRows: 3, maxRows: 8 }}
        maxLength={MOST}
        showCount
        value={text}
        status={asked && missing ? 'error' : undefined}
        aria-label={t('form.amendReason')}
        aria-describedby="amend-hint"
        aria-invalid={asked && missing}
        placeholder={t('form.amendReason')}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && go()}
      />
      {asked && missing && <p className={styles.wrong}>{t('form.amendMissing')}</p>}
    </Modal>
  )
}
