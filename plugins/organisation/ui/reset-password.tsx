import { type ActionDialogProps, Sheet, useFeedback, useText } from '@sluice/sdk'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { codes } from './codes'
import { texts } from './texts'

/** Asks, makes a password for one sign-in, and shows it this once. */
export default function ResetPassword({ context, onClose }: ActionDialogProps) {
  const product = useText()
  const t = texts.useText()
  const say = useFeedback()
  const [password, setPassword] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      const made = (await context.call()) as { password: string }
      setPassword(made.password)
    } catch (error) {
      say.error(error)
    } finally {
      setBusy(false)
    }
  }
  const copy = async () => {
    await navigator.clipboard.writeText(password ?? '')
    say.success(t('copied'))
  }
  const name = String(context.rows[0]?.data[codes.name] ?? '')
  return (
    <Sheet
      title={t('title', { name })}
      width={440}
      onClose={onClose}
      footer={
        password === null ? (
          <>
            <Button onClick={onClose}>{product('common.cancel')}</Button>
            <Button type="primary" danger loading={busy} onClick={run}>
              {t('run')}
            </Button>
          </>
        ) : (
          <Button type="primary" onClick={onClose}>
            {t('done')}
          </Button>
        )
      }
    >
      <p style={{ marginBlock: '4px 12px' }}>{password === null ? t('ask') : t('made')}</p>
      {password !== null && (
        <div style={{ display: 'flex', gap: 8 }}>
          <Input
            readOnly
            autoFocus
            aria-label={t('password')}
            value={password}
            style={{ fontFamily: 'var(--font-mono, monospace)' }}
            onFocus={(event) => event.target.select()}
          />
          {/* Pages without TLS have no clipboard. */}
          {'clipboard' in navigator && <Button onClick={copy}>{t('copy')}</Button>}
        </div>
      )}
    </Sheet>
  )
}
