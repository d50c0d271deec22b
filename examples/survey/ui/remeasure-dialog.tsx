import { type ActionDialogProps, Sheet, useFeedback, useText } from '@sluice/sdk'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { texts } from './texts'

/** Asks until when a point is to be measured again, and plans the campaign. */
export default function RemeasureDialog({ context, onClose }: ActionDialogProps) {
  const product = useText()
  const t = texts.useText()
  const say = useFeedback()
  const id = useId()
  const [due, setDue] = useState('')
  const [remark, setRemark] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const missing = tried && due === ''
  const point = context.rows[0]
  const run = () => {
    setTried(true)
    if (due === '' || !point) return
    setBusy(true)
    const failed = (error: unknown) => {
      setBusy(false)
      say.error(error)
    }
    context.call({ id: point.id, due, remark }).then(onClose, failed)
  }
  return (
    <Sheet
      title={t('remeasure', { name: String(point?.data.number ?? '') })}
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
        <Input
          id={`${id}-due`}
          type="date"
          autoFocus
          value={due}
          {...(missing ? { status: 'error' as const } : {})}
          aria-describedby={`${id}-note`}
          onChange={(event) => setDue(event.target.value)}
        />
        <p id={`${id}-note`} role="alert">
          {missing && t('dueMissing')}
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
