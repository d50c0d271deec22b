import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Input, Skeleton, Tag } from 'antd'
import { useId, useState } from 'react'
import { useLocation } from 'react-router'
import { Notice } from '@/components/notice'
import { useLocale } from '@/i18n/locale'
import { formatInstant } from '@/lib/dates'
import { localName } from '@/lib/local-name'
import { useErrorText } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { lostOf } from '@/sdk/lost'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import {
  type Begun,
  beginFactor,
  factorOff,
  factorQuery,
  identitiesQuery,
  linkTo,
  renewCodes,
  unlink,
} from './api-sign-in'
import { Enrolment, RecoveryCodes } from './enrolment'
import styles from './sign-ins.module.css'

type Factor = Awaited<ReturnType<typeof factorQuery.queryFn>>
type Identities = Awaited<ReturnType<typeof identitiesQuery.queryFn>>

/** How I sign in beside the password: the second step, and who I am at providers. */
export function Security() {
  const t = useText()
  const errorText = useErrorText()
  const factor = useQuery(factorQuery)
  const identities = useQuery(identitiesQuery)
  const error = lostOf(factor) ?? lostOf(identities)
  if (error)
    return (
      <Notice
        role="alert"
        icon="alert"
        title={t('account.failed')}
        text={errorText(error)}
        actions={
          <Button onClick={() => void Promise.all([factor.refetch(), identities.refetch()])}>
            {t('common.retry')}
          </Button>
        }
      />
    )
  if (!factor.data || !identities.data) return <Skeleton active title={false} paragraph={{ rows: 5 }} />
  return (
    <div className={styles.all}>
      <SecondFactor factor={factor.data} />
      {(identities.data.providers.length > 0 || identities.data.content.length > 0) && (
        <Accounts identities={identities.data} password={factor.data.password} />
      )}
    </div>
  )
}

function SecondFactor({ factor }: { factor: Factor }) {
  const t = useText()
  const say = useFeedback()
  const context = useTextContext()
  const client = useQueryClient()
  const [doing, setDoing] = useState<'begin' | 'codes' | 'off' | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const [begun, setBegun] = useState<Begun | null>(null)
  const again = () => void client.invalidateQueries({ queryKey: factorQuery.queryKey })
  const close = () => {
    setDoing(null)
    setBegun(null)
    setCodes(null)
    again()
  }
  return (
    <section>
      <h3>
        {t('account.factor.title')}{' '}
        {!doing && (
          <Tag color={factor.on ? 'success' : 'default'}>
            {t(factor.on ? 'account.factor.on' : 'account.factor.off')}
          </Tag>
        )}
      </h3>
      <p className={styles.hint}>
        {factor.on && factor.sinceTime
          ? t('account.factor.since', {
              time: formatInstant(factor.sinceTime, 'yyyy-MM-dd HH:mm', context),
              count: factor.codes,
            })
          : t('account.factor.hint')}
      </p>
      {factor.on && factor.codes < 3 && !codes && (
        <Alert type="warning" showIcon title={t('account.factor.fewCodes')} />
      )}
      {codes ? (
        <RecoveryCodes codes={codes} onDone={close} />
      ) : doing === 'begin' ? (
        begun ? (
          <Enrolment start={begun} onDone={close} onCancel={close} />
        ) : (
          <Confirm
            text={t('account.factor.beginAsk')}
            action={t('account.factor.setUp')}
            password={factor.password}
            run={async (password) => setBegun(await beginFactor(password))}
            onCancel={() => setDoing(null)}
          />
        )
      ) : doing ? (
        <Confirm
          text={t(doing === 'off' ? 'account.factor.offAsk' : 'account.factor.codesAsk')}
          action={t(doing === 'off' ? 'account.factor.switchOff' : 'account.factor.newCodes')}
          danger={doing === 'off'}
          password={factor.password}
          run={async (password) => {
            if (doing === 'codes') return setCodes((await renewCodes(password)).codes)
            await factorOff(password)
            say.success(t('account.factor.isOff'))
            close()
          }}
          onCancel={() => setDoing(null)}
        />
      ) : (
        <div style={{ display: 'flex', gap: 8, marginTop: 8, flexWrap: 'wrap' }}>
          {factor.on ? (
            <>
              <Button onClick={() => setDoing('codes')}>{t('account.factor.newCodes')}</Button>
              <Button danger onClick={() => setDoing('off')}>
                {t('account.factor.switchOff')}
              </Button>
            </>
          ) : (
            <Button type="primary" onClick={() => setDoing('begin')}>
              {t('account.factor.setUp')}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

/** Asks for the password before what weakens an account. Accounts without one are asked by the server for a fresh sign-in. */
function Confirm(props: {
  text: string
  action: string
  danger?: boolean
  password: boolean
  run: (password: string) => Promise<unknown>
  onCancel: () => void
}) {
  const t = useText()
  const errorText = useErrorText()
  const id = useId()
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState(false)
  const running = useMutation({ mutationFn: props.run })
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (props.password && password === '') setMissing(true)
        else running.mutate(password)
      }}
    >
      <p style={{ margin: 0 }}>{props.text}</p>
      {props.password && (
        <label className={styles.field} htmlFor={id}>
          {t('session.oldPassword')}
          <Input.Password
            id={id}
            autoFocus
            autoComplete="current-password"
            maxLength={100}
            value={password}
            status={missing ? 'error' : ''}
            onChange={(event) => {
              setPassword(event.target.value)
              setMissing(false)
            }}
          />
          {missing && <span role="alert">{t('session.passwordMissing')}</span>}
        </label>
      )}
      {running.error && <Alert type="error" title={errorText(running.error)} />}
      <div className={styles.actions}>
        <Button onClick={props.onCancel}>{t('common.cancel')}</Button>
        <Button type="primary" danger={props.danger ?? false} htmlType="submit" loading={running.isPending}>
          {props.action}
        </Button>
      </div>
    </form>
  )
}

function Accounts({ identities, password }: { identities: Identities; password: boolean }) {
  const t = useText()
  const locale = useLocale()
  const say = useFeedback()
  const context = useTextContext()
  const client = useQueryClient()
  const here = useLocation()
  const [linking, setLinking] = useState<string | null>(null)
  const name = (code: string) => {
    const one = identities.providers.find((p) => p.code === code)
    return one ? localName(one, locale) : code
  }
  const time = (at: string) => formatInstant(at, 'yyyy-MM-dd HH:mm', context)
  const remove = async (id: string) => {
    try {
      await unlink(id)
      say.success(t('account.linked.isUnlinked'))
    } catch (error) {
      say.error(error)
    }
    await client.invalidateQueries({ queryKey: identitiesQuery.queryKey })
  }
  const open = identities.providers.filter((p) => !identities.content.some((one) => one.provider === p.code))
  return (
    <section>
      <h3>{t('account.linked.title')}</h3>
      <p className={styles.hint}>{t('account.linked.hint')}</p>
      <ul className={styles.list}>
        {identities.content.map((one) => (
          <li key={one.id}>
            <div>
              <strong>{name(one.provider)}</strong>
              <p>
                {[
                  one.label,
                  t('account.linked.since', { time: time(one.createdTime) }),
                  one.usedTime && t('account.seen', { time: time(one.usedTime) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
            </div>
            <Button
              size="small"
              aria-label={`${t('account.linked.unlink')} ${name(one.provider)}`}
              onClick={() =>
                say.modal.confirm({
                  title: t('account.linked.unlinkAsk', { name: name(one.provider) }),
                  content: t('account.linked.unlinkHint'),
                  okText: t('account.linked.unlink'),
                  okButtonProps: { danger: true },
                  onOk: () => remove(one.id),
                })
              }
            >
              {t('account.linked.unlink')}
            </Button>
          </li>
        ))}
      </ul>
      {linking ? (
        <Confirm
          text={t('account.linked.linkAsk', { name: name(linking) })}
          action={t('account.linked.go')}
          password={password}
          run={(given) => linkTo(linking, here.pathname + here.search, given)}
          onCancel={() => setLinking(null)}
        />
      ) : (
        <div style={{ display: 'flex', gap: 8, flexWrap: 'wrap' }}>
          {open.map((p) => (
            <Button key={p.code} onClick={() => setLinking(p.code)}>
              {t('account.linked.link', { name: localName(p, locale) })}
            </Button>
          ))}
        </div>
      )}
    </section>
  )
}
