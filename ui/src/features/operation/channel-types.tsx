import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Switch } from 'antd'
import { useFeedback } from '@/sdk/feedback'
import { Rows } from '@/sdk/rows'
import { useText } from '@/sdk/use-text'
import { type Channels, channelsQuery, setType } from './api'
import styles from './operation.module.css'

type Type = Channels['types'][number]

/** By which channels each type of messages goes out. The message center has them all. */
export function ChannelTypes({ data }: { data: Channels }) {
  const t = useText()
  const client = useQueryClient()
  const feedback = useFeedback()
  const set = useMutation({
    mutationFn: setType,
    onMutate: (type) =>
      client.setQueryData<Channels>(
        channelsQuery.queryKey,
        (old) =>
          old && {
            ...old,
            types: old.types.map((one) => (one.messageType === type.messageType ? { ...one, ...type } : one)),
          },
      ),
    onError: feedback.error,
    onSettled: () => client.invalidateQueries({ queryKey: channelsQuery.queryKey }),
  })
  const english = t('operation.locale') === 'en'
  const name = (type: Type) => (english && type.name_i18n.en) || type.name
  const toggle = (type: Type, channel: 'mail' | 'webhook') => (
    <Switch
      size="small"
      aria-label={`${name(type)}: ${t(`operation.${channel}`)}`}
      checked={type[channel]}
      onChange={(on) =>
        set.mutate({ messageType: type.messageType, mail: type.mail, webhook: type.webhook, [channel]: on })
      }
    />
  )
  return (
    <details>
      <summary>{t('operation.types')}</summary>
      <p className={styles.note}>{t('operation.typesHint')}</p>
      <Rows
        label={t('operation.types')}
        rows={data.types}
        id={(type) => String(type.messageType)}
        columns={[
          { title: t('operation.number'), figure: true, of: (type) => type.messageType },
          { title: t('operation.type'), wide: true, main: true, of: name },
          { title: t('operation.mail'), of: (type) => toggle(type, 'mail') },
          { title: t('operation.webhook'), of: (type) => toggle(type, 'webhook') },
        ]}
      />
    </details>
  )
}
