import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Input, Radio, Skeleton } from 'antd'
import { useId, useState } from 'react'
import { Choice } from '@/components/choice'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useErrorText } from '@/sdk/error-text'
import { ShownOnce } from '@/sdk/shown-once'
import { useText } from '@/sdk/use-text'
import { appsQuery, makeToken, sessionsQuery } from './api'
import styles from './sign-ins.module.css'

const DAYS = [7, 30, 90, 365]

/** What a token may do in one application. */
type Reach = 'none' | 'read' | 'write'

export function NewToken({ onClose }: { onClose: () => void }) {
  const t = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const id = useId()
  const [label, setLabel] = useState('')
  const [days, setDays] = useState(90)
  const [readOnly, setReadOnly] = useState(true)
  const [some, setSome] = useState(false)
  const [reach, setReach] = useState<Record<string, Reach>>({})
  const [unreached, setUnreached] = useState(false)
  const apps = Object.entries(reach).flatMap(([appCode, of]) =>
    of === 'none' ? [] : [{ appCode, write: of === 'write' }],
  )
  const [missing, setMissing] = useState(false)
  const making = useMutation({
    mutationFn: () => makeToken({ label: label.trim(), days, ...(some ? { apps } : { readOnly }) }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  if (making.data)
    return (
      <ShownOnce
        title={t('account.madeTitle')}
        hint={t('account.madeHint')}
        label={t('account.token')}
        text={making.data.token}
        onClose={onClose}
      />
    )
  const make = () => {
    const nowhere = some && apps.length === 0
    setMissing(label.trim() === '')
    setUnreached(nowhere)
    if (label.trim() !== '' && !nowhere) making.mutate()
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
      <div className={styles.field}>
        <span id={`${id}-reach`}>{t('account.reach')}</span>
        <Radio.Group
          aria-labelledby={`${id}-reach`}
          value={some}
          onChange={(event) => {
            setSome(event.target.value)
            setUnreached(false)
          }}
          options={[
            { value: false, label: t('account.reachAll') },
            { value: true, label: t('account.reachApps') },
          ]}
        />
      </div>
      {some ? (
        <Apps
          reach={reach}
          onChange={(code, of) => {
            setReach((all) => ({ ...all, [code]: of }))
            setUnreached(false)
          }}
        />
      ) : (
        <Checkbox checked={readOnly} onChange={(event) => setReadOnly(event.target.checked)}>
          {t('account.onlyRead')}
        </Checkbox>
      )}
      {unreached && <span role="alert">{t('account.reachMissing')}</span>}
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

/** For each application that I can open: whether the token reads there, or changes records too. */
function Apps({ reach, onChange }: { reach: Record<string, Reach>; onChange: (code: string, of: Reach) => void }) {
  const t = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const { data, error } = useQuery(appsQuery)
  if (error) return <Alert type="error" title={errorText(error)} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 2 }} />
  return (
    <>
      <p className={styles.hint}>{t('account.reachHint')}</p>
      <ul className={styles.apps}>
        {data.map((app) => {
          const name = localName(app, locale)
          return (
            <li key={app.code}>
              <span title={name}>{name}</span>
              <Choice<Reach>
                aria-label={t('account.reachOf', { name })}
                value={reach[app.code] ?? 'none'}
                onChange={(of) => onChange(app.code, of)}
                options={(['none', 'read', 'write'] as const).map((value) => ({
                  value,
                  label: t(`account.reaches.${value}`),
                }))}
              />
            </li>
          )
        })}
      </ul>
    </>
  )
}
