import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Skeleton, Switch } from 'antd'
import { get, put } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { Choice } from '@/components/choice'
import { Failure } from '@/sdk/failure'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import styles from './mail-choices.module.css'

type Settings = components['schemas']['MessageSettings']

const settingsQuery = {
  queryKey: ['message-settings'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/message/settings', undefined, { signal }),
}

/** Which notifications reach me by mail, and in which language. Each change is kept at once. */
export function MailChoices() {
  const t = useText()
  const client = useQueryClient()
  const feedback = useFeedback()
  const { data, error, refetch } = useQuery(settingsQuery)
  const set = useMutation({
    mutationFn: (next: Settings) => put('/api/message/settings', { locale: next.locale, groups: next.groups }),
    onMutate: (next) => client.setQueryData(settingsQuery.queryKey, next),
    onError: feedback.error,
    onSettled: () => client.invalidateQueries({ queryKey: settingsQuery.queryKey }),
  })
  if (error && !data) return <Failure error={error} onRetry={refetch} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 5 }} />
  return (
    <div className={styles.choices}>
      <p className={styles.note}>
        {!data.mail ? t('mail.off') : data.email ? t('mail.to', { email: data.email }) : t('mail.noAddress')}
      </p>
      <ul>
        {data.groups.map(({ group, mail }) => {
          const id = `mail-${group}`
          return (
            <li key={group}>
              <span>
                <strong id={id}>{t(`mail.groups.${group}`)}</strong>
                <small>{t(`mail.hints.${group}`)}</small>
              </span>
              <Switch
                aria-labelledby={id}
                checked={mail}
                onChange={(on) =>
                  set.mutate({
                    ...data,
                    groups: data.groups.map((one) => (one.group === group ? { group, mail: on } : one)),
                  })
                }
              />
            </li>
          )
        })}
        <li>
          <strong id="mail-language">{t('mail.language')}</strong>
          <Choice
            className={styles.language ?? ''}
            aria-labelledby="mail-language"
            value={data.locale}
            options={[
              { value: '', label: t('mail.default') },
              { value: 'zh', label: '中文' },
              { value: 'en', label: 'English' },
            ]}
            onChange={(locale) => set.mutate({ ...data, locale: (locale ?? '') as Settings['locale'] })}
          />
        </li>
      </ul>
    </div>
  )
}
