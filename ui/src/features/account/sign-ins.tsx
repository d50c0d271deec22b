import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Skeleton, Tag } from 'antd'
import { useState } from 'react'
import { useLocale } from '@/i18n/locale'
import { formatInstant } from '@/lib/dates'
import { deviceName } from '@/lib/device-name'
import { localName } from '@/lib/local-name'
import { Failure } from '@/sdk/failure'
import { useFeedback } from '@/sdk/feedback'
import { lostOf } from '@/sdk/lost'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { appsQuery, revokeOthers, revokeSession, sessionsQuery } from './api'
import { NewToken } from './new-token'
import styles from './sign-ins.module.css'

type Session = Awaited<ReturnType<typeof sessionsQuery.queryFn>>['content'][number]

/** Where I am signed in, and my tokens for scripts; each can be ended. */
export function SignIns() {
  const t = useText()
  const { data, error, refetch } = useQuery(sessionsQuery)
  if (lostOf({ data, error })) return <Failure error={error} title={t('account.failed')} onRetry={refetch} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 5 }} />
  const browsers = data.content.filter((one) => !one.script).sort(latestFirst)
  const tokens = data.content.filter((one) => one.script)
  return (
    <div className={styles.all}>
      <Browsers sessions={browsers} />
      <Tokens tokens={tokens} />
    </div>
  )
}

/** This browser first, then those that were used last. */
const used = (one: Session) => one.seenTime ?? one.createdTime
const latestFirst = (a: Session, b: Session) => Number(b.current) - Number(a.current) || used(b).localeCompare(used(a))

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

/** The applications that a token reaches, with those in which it may only read, and those that it reached until they were removed. */
function Reach({ apps }: { apps: NonNullable<Session['apps']> }) {
  const t = useText()
  const locale = useLocale()
  const { data } = useQuery(appsQuery)
  const name = (code: string) => {
    const app = data?.find((one) => one.code === code)
    return app ? localName(app, locale) : code
  }
  return (
    <>
      {apps.map(({ appCode, write, gone }) =>
        gone ? (
          // by its code: another application may have it now
          <Tag key={`~${appCode}`} color="warning">
            {t('account.appGone', { name: appCode })}
          </Tag>
        ) : (
          <Tag key={appCode}>{write ? name(appCode) : t('account.appRead', { name: name(appCode) })}</Tag>
        ),
      )}
    </>
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
        {one.readOnly && !one.apps && <Tag>{t('account.readOnly')}</Tag>}
        {one.apps && <Reach apps={one.apps} />}
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
