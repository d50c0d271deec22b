import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, Button, Input, QRCode, Skeleton } from 'antd'
import { useId, useState } from 'react'
import { useErrorText } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import { type Begun, beginFactor, confirmFactor } from './api-sign-in'
import styles from './enrolment.module.css'

interface EnrolmentProps {
  /** What was begun with the password; without it the sign-in that has just been confirms it. */
  start?: Begun
  onDone: () => void
  onCancel?: () => void
}

/** Sets up the second step: a picture for the app, its first code, then the recovery codes. */
export function Enrolment({ start, onDone, onCancel }: EnrolmentProps) {
  const t = useText()
  const errorText = useErrorText()
  const id = useId()
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState(false)
  const begun = useQuery({
    queryKey: ['enrolment', id],
    queryFn: () => beginFactor(''),
    ...(start ? { initialData: start } : {}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const confirming = useMutation({ mutationFn: (ticket: string) => confirmFactor(ticket, code) })
  if (confirming.data) return <RecoveryCodes codes={confirming.data.codes} onDone={onDone} />
  if (begun.error) return <Alert type="error" title={errorText(begun.error)} />
  if (!begun.data) return <Skeleton active title={false} paragraph={{ rows: 5 }} />
  const { ticket, secret, address } = begun.data
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (code.trim() === '') setMissing(true)
        else confirming.mutate(ticket)
      }}
    >
      <div className={styles.pair}>
        {/* White paper under the picture in dark themes too: not every camera reads it otherwise. */}
        <QRCode value={address} size={168} color="#000" bgColor="#fff" aria-label={t('account.factor.picture')} />
        <div className={styles.steps}>
          <p>{t('account.factor.scan')}</p>
          <p className={styles.hint}>{t('account.factor.byHand')}</p>
          <code className={styles.secret}>{secret.match(/.{1,4}/g)?.join(' ')}</code>
        </div>
      </div>
      <label className={styles.field} htmlFor={id}>
        {t('account.factor.first')}
        <Input
          id={id}
          autoFocus
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={10}
          value={code}
          status={missing || confirming.error ? 'error' : ''}
          onChange={(event) => {
            setCode(event.target.value)
            setMissing(false)
          }}
        />
        {missing && <span role="alert">{t('session.second.missing')}</span>}
      </label>
      {confirming.error && <Alert type="error" title={errorText(confirming.error)} />}
      <div className={styles.actions}>
        {onCancel && <Button onClick={onCancel}>{t('common.cancel')}</Button>}
        <Button type="primary" htmlType="submit" loading={confirming.isPending}>
          {t('account.factor.turnOn')}
        </Button>
      </div>
    </form>
  )
}

/** The codes are shown this once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const t = useText()
  const say = useFeedback()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
      say.success(t('account.copied'))
    } catch {
      say.warning(t('account.copyByHand'))
    }
  }
  return (
    <div className={styles.form}>
      <Alert type="success" showIcon title={t('account.factor.isOn')} description={t('account.factor.keepCodes')} />
      <ol className={styles.codes} aria-label={t('account.factor.codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={styles.actions}>
        <Button onClick={() => void copy()}>{t('account.copy')}</Button>
        <Button type="primary" onClick={onDone}>
          {t('account.factor.kept')}
        </Button>
      </div>
    </div>
  )
}
