import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Input, Skeleton, Tag } from 'antd'
import { useId, useState } from 'react'
import { Choice } from '@/components/choice'
import { Notice } from '@/components/notice'
import { formatInstant } from '@/lib/dates'
import { useErrorText } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { makeToken, revokeOthers, revokeSession, sessionsQuery } from './api'
import { deviceName } from './device-name'
import styles from './sign-ins.module.css'

type Session = Awaited<ReturnType<typeof sessionsQuery.queryFn>>['content'][number]

/** Where I am signed in, and my tokens for scripts; each can be ended. */
export function SignIns() {
  const t = useText()
  const errorText = useErrorText()
  const { data, error, refetch } = useQuery(sessionsQuery)
  if (error)
    return (
      <Notice
        role="alert"
        icon="alert"
        title={t('account.failed')}
        text={errorText(error)}
        actions={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
      />
    )
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 5 }} />
  const browsers = data.content.filter((one) => !one.script).sort((a, b) => Number(b.current) - Number(a.current))
  const tokens = data.content.filter((one) => one.script)
  return (
    <div className={styles.all}>
      <Browsers sessions={browsers} />
      <Tokens tokens={tokens} />
    </div>
  )
}

/** Ends sessions and reads the list again, whatever came of it. */
function useEnding(end: () => Promise<unknown>, done: string) {
  const say = useFeedback()
  const client = useQueryClient()
  return useMutation({
    mutationFn: end,
    onSuccess: () => say.success(done),
    onError: say.error,
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}

function Browsers({ sessions }: { sessions: Session[] }) {
  const t = useText()
  const say = useFeedback()
  const others = useEnding(revokeOthers, t('account.othersEnded'))
  return (
    <section>
      <h3>{t('account.browsers')}</h3>
      <ul className={styles.list}>
        {sessions.map((one) => (
          <Row key={one.id} session={one} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button
          loading={others.isPending}
          onClick={() =>
            say.modal.confirm({
              title: t('account.endOthersAsk'),
              content: t('account.endOthersHint'),
              okText: t('account.endOthers'),
              onOk: () => others.mutateAsync().catch(() => {}),
            })
          }
        >
          {t('account.endOthers')}
        </Button>
      )}
    </section>
  )
}

function Tokens({ tokens }: { tokens: Session[] }) {
  const t = useText()
  const [making, setMaking] = useState(false)
  return (
    <section>
      <h3>{t('account.tokens')}</h3>
      <p className={styles.hint}>{t('account.tokensHint')}</p>
      <ul className={styles.list}>
        {tokens.map((one) => (
          <Row key={one.id} session={one} />
        ))}
      </ul>
      {making ? (
        <NewToken onClose={() => setMaking(false)} />
      ) : (
        <Button onClick={() => setMaking(true)}>{t('account.newToken')}</Button>
      )}
    </section>
  )
}

function Row({ session: one }: { session: Session }) {
  const t = useText()
  const say = useFeedback()
  const context = useTextContext()
  const time = (at: string) => formatInstant(at, 'yyyy-MM-dd HH:mm', context)
  const name = one.script
    ? one.label || t('account.unnamed')
    : one.device
      ? deviceName(one.device)
      : t('account.unknown')
  const ending = useEnding(() => revokeSession(one.id), one.script ? t('account.tokenEnded') : t('account.ended'))
  const facts = one.script
    ? [t('account.made', { time: time(one.createdTime) }), t('account.until', { time: time(one.expiresTime) })]
    : [
        one.address,
        t('account.since', { time: time(one.createdTime) }),
        one.seenTime && t('account.seen', { time: time(one.seenTime) }),
      ]
  const end = one.script ? t('account.revoke') : t('account.end')
  return (
    <li>
      <div>
        <strong>{name}</strong>
        {one.current && <Tag color="processing">{t('account.here')}</Tag>}
        {one.readOnly && <Tag>{t('account.readOnly')}</Tag>}
        <p>{facts.filter(Boolean).join(' · ')}</p>
      </div>
      {!one.current && (
        <Button
          size="small"
          loading={ending.isPending}
          aria-label={`${end} ${name}`}
          onClick={() =>
            one.script
              ? say.modal.confirm({
                  title: t('account.revokeAsk', { name }),
                  content: t('account.revokeHint'),
                  okText: end,
                  okButtonProps: { danger: true },
                  onOk: () => ending.mutateAsync().catch(() => {}),
                })
              : ending.mutate()
          }
        >
          {end}
        </Button>
      )}
    </li>
  )
}

const DAYS = [7, 30, 90, 365]

function NewToken({ onClose }: { onClose: () => void }) {
  const t = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const id = useId()
  const [label, setLabel] = useState('')
  const [days, setDays] = useState(90)
  const [readOnly, setReadOnly] = useState(true)
  const [missing, setMissing] = useState(false)
  const making = useMutation({
    mutationFn: () => makeToken({ label: label.trim(), days, readOnly }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  if (making.data) return <Made token={making.data.token} onClose={onClose} />
  const make = () => {
    if (label.trim() === '') setMissing(true)
    else making.mutate()
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        make()
      }}
    >
      <label className={styles.field} htmlFor={`${id}-label`}>
        {t('account.label')}
        <Input
          id={`${id}-label`}
          autoFocus
          value={label}
          maxLength={100}
          status={missing ? 'error' : ''}
          placeholder={t('account.labelExample')}
          onChange={(event) => {
            setLabel(event.target.value)
            setMissing(false)
          }}
        />
        {missing && <span role="alert">{t('account.labelMissing')}</span>}
      </label>
      <label className={styles.field} htmlFor={`${id}-days`}>
        {t('account.days')}
        <Choice
          id={`${id}-days`}
          value={days}
          onChange={setDays}
          options={DAYS.map((count) => ({ value: count, label: t('account.daysOf', { count }) }))}
        />
      </label>
      <Checkbox checked={readOnly} onChange={(event) => setReadOnly(event.target.checked)}>
        {t('account.onlyRead')}
      </Checkbox>
      {making.error && <Alert type="error" title={errorText(making.error)} />}
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button type="primary" htmlType="submit" loading={making.isPending}>
          {t('account.make')}
        </Button>
      </div>
    </form>
  )
}

/** A token is shown this once. Where the browser gives no clipboard, as without encryption, its text is selected to be copied by hand. */
function Made({ token, onClose }: { token: string; onClose: () => void }) {
  const t = useText()
  const say = useFeedback()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(token)
      say.success(t('account.copied'))
    } catch {
      say.warning(t('account.copyByHand'))
    }
  }
  return (
    <div className={styles.form}>
      <Alert type="success" showIcon title={t('account.madeTitle')} description={t('account.madeHint')} />
      <Input.TextArea
        readOnly
        autoSize
        aria-label={t('account.token')}
        value={token}
        onFocus={(event) => event.target.select()}
      />
      <div className={styles.actions}>
        <Button onClick={() => void copy()}>{t('account.copy')}</Button>
        <Button type="primary" onClick={onClose}>
          {t('common.close')}
        </Button>
      </div>
    </div>
  )
}
