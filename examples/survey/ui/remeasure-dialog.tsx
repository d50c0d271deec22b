import { type ActionDialogProps, DateBox, Sheet, useFeedback, useText } from '@sluice/sdk'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { codes } from './codes'
import { texts } from './texts'

/** Asks until when a point is to be measured again, and plans the campaign. */
export default function RemeasureDialog({ context, onClose }: ActionDialogProps) {
  const product = useText()
  const t = texts.useText()
  const say = useFeedback()
  const id = useId()
  const [due, setDue] = useState<string | null>(null)
  const [unread, setUnread] = useState<string | null>(null)
  const [remark, setRemark] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const missing = tried && due === null
  const point = context.rows[0]
  const run = () => {
    setTried(true)
    if (due === null || unread !== null || !point) return
    setBusy(true)
    const failed = (error: unknown) => {
      setBusy(false)
      say.error(error)
    }
    context.call({ id: point.id, due, remark }).then(onClose, failed)
  }
  return (
    <Sheet
      title={t('remeasure', { name: String(point?.data[codes.number] ?? '') })}
      width={480}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{product('common.cancel')}</Button>
          <Button type="primary" loading={busy} onClick={run}>
            {product('common.confirm')}
          </Button>
        </>
      }
    >
      <div className="survey-form">
        <label htmlFor={`${id}-due`}>{t('due')}</label>
        <DateBox
          id={`${id}-due`}
          kind="date"
          format="yyyy-MM-dd"
          autoFocus
          value={due}
          unread={unread}
          invalid={missing || (tried && unread !== null)}
          describedBy={`${id}-note`}
          onChange={(day) => {
            setDue(day)
            setUnread(null)
          }}
          onUnread={setUnread}
        />
        <p id={`${id}-note`} role="alert">
          {(missing || (tried && unread !== null)) && t('dueMissing')}
        </p>
        <label htmlFor={`${id}-remark`}>{t('remark')}</label>
        <Input.TextArea
          id={`${id}-remark`}
          value={remark}
          maxLength={500}
          onChange={(event) => setRemark(event.target.value)}
        />
      </div>
    </Sheet>
  )
}
