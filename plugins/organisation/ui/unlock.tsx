import {
  type ActionDialogProps,
  formatInstant,
  Notice,
  post,
  Sheet,
  useErrorText,
  useFeedback,
  useText,
  useTextContext,
} from '@sluice/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { texts } from './texts'

interface Lock {
  failures: number
  /** "" where the account is not locked. */
  until: string
}

/** Whether failed attempts keep a person from signing in, and an end to that. */
export default function Unlock({ context, onClose }: ActionDialogProps) {
  const product = useText()
  const t = texts.useText()
  const say = useFeedback()
  const errorText = useErrorText()
  const text = useTextContext()
  const { lock, unlocking } = useLock(context)
  const name = String(context.rows[0]?.data.name ?? '')
  const unlock = () =>
    unlocking.mutate(undefined, {
      onSuccess: () => {
        say.success(t('unlocked'))
        onClose()
      },
      onError: say.error,
    })
  return (
    <Sheet
      title={t('unlockTitle', { name })}
      width={480}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{product('common.close')}</Button>
          <Button type="primary" loading={unlocking.isPending} disabled={!lock.data?.failures} onClick={unlock}>
            {t('unlock')}
          </Button>
        </>
      }
    >
      {lock.error ? (
        <Notice
          role="alert"
          icon="alert"
          title={errorText(lock.error)}
          actions={<Button onClick={() => void lock.refetch()}>{product('common.retry')}</Button>}
        />
      ) : !lock.data ? (
        <Skeleton active title={false} paragraph={{ rows: 2 }} />
      ) : (
        <>
          <p>
            {lock.data.until
              ? t('locked', { time: formatInstant(lock.data.until, 'yyyy-MM-dd HH:mm:ss', text) })
              : t('notLocked')}
          </p>
          {lock.data.failures > 0 && (
            <>
              <p>{t('failures', { count: lock.data.failures })}</p>
              <p>{t('unlockHint')}</p>
            </>
          )}
        </>
      )}
    </Sheet>
  )
}

function useLock({ schemaCode, queryCode, button, ids }: ActionDialogProps['context']) {
  const client = useQueryClient()
  const queryKey = ['organisation', 'lock', ids[0]]
  const ask = async (input: { look?: boolean }) => {
    const { data } = await post('/api/runtime/query/run_action', {
      ...{ schemaCode, queryCode: queryCode ?? '', actionCode: button.actionCode, objectIds: ids, input },
    })
    return data as Lock
  }
  const lock = useQuery({ queryKey, queryFn: () => ask({ look: true }), staleTime: 0, gcTime: 0 })
  const unlocking = useMutation({
    mutationFn: () => ask({}),
    onSuccess: (after) => client.setQueryData(queryKey, after),
  })
  return { lock, unlocking }
}
