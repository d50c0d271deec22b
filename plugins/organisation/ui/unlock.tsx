import { type ActionDialogProps, formatInstant, useFeedback, useText, useTextContext } from '@sluice/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { codes } from './codes'
import { ask, FRESH, LoadingSheet } from './loading-sheet'
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
  const text = useTextContext()
  const { lock, unlocking } = useLock(context)
  const name = String(context.rows[0]?.data[codes.name] ?? '')
  const unlock = () =>
    unlocking.mutate(undefined, {
      onSuccess: () => {
        say.success(t('unlocked'))
        onClose()
      },
      onError: say.error,
    })
  return (
    <LoadingSheet
      title={t('unlockTitle', { name })}
      onClose={onClose}
      query={lock}
      lines={2}
      footer={
        <>
          <Button onClick={onClose}>{product('common.close')}</Button>
          <Button type="primary" loading={unlocking.isPending} disabled={!lock.data?.failures} onClick={unlock}>
            {t('unlock')}
          </Button>
        </>
      }
    >
      {({ until, failures }) => (
        <>
          <p>{until ? t('locked', { time: formatInstant(until, 'yyyy-MM-dd HH:mm:ss', text) }) : t('notLocked')}</p>
          {failures > 0 && (
            <>
              <p>{t('failures', { count: failures })}</p>
              <p>{t('unlockHint')}</p>
            </>
          )}
        </>
      )}
    </LoadingSheet>
  )
}

function useLock(context: ActionDialogProps['context']) {
  const client = useQueryClient()
  const queryKey = ['organisation', 'lock', context.ids[0]]
  const lock = useQuery({ queryKey, queryFn: () => ask<Lock>(context, { look: true }), ...FRESH })
  const unlocking = useMutation({
    mutationFn: () => ask<Lock>(context, {}),
    onSuccess: (after) => client.setQueryData(queryKey, after),
  })
  return { lock, unlocking }
}
