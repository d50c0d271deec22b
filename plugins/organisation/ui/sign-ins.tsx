import { type ActionDialogProps, deviceName, formatInstant, useFeedback, useText, useTextContext } from '@sluice/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Tag } from 'antd'
import { codes } from './codes'
import { ask, FRESH, LoadingSheet } from './loading-sheet'
import styles from './sign-ins.module.css'
import { texts } from './texts'

interface SignIn {
  id: string
  script: boolean
  label: string
  address: string
  device: string
  createdTime: string
  seenTime: string
  expiresTime: string
}

interface End {
  end?: string
  all?: boolean
}

/** Browsers first, those that were used last before others; tokens after them. */
const used = (one: SignIn) => one.seenTime || one.createdTime
const inOrder = (a: SignIn, b: SignIn) => Number(a.script) - Number(b.script) || used(b).localeCompare(used(a))

/** Where a person is signed in, and their tokens; each can be ended, and all of them. */
export default function SignIns({ context, onClose }: ActionDialogProps) {
  const product = useText()
  const t = texts.useText()
  const say = useFeedback()
  const { signIns, ending } = useSignIns(context)
  const name = String(context.rows[0]?.data[codes.name] ?? '')
  const list = signIns.data
  const endAll = () =>
    say.modal.confirm({
      title: t('endAllAsk', { name }),
      content: t('endAllHint'),
      okText: t('endAll'),
      okButtonProps: { danger: true },
      onOk: () => end({ all: true }, t('endedAll')),
    })
  const end = (what: End, done: string) =>
    ending.mutateAsync(what).then(
      () => void say.success(done),
      (error) => void say.error(error),
    )
  return (
    <LoadingSheet
      title={t('signIns', { name })}
      width={600}
      onClose={onClose}
      query={signIns}
      lines={3}
      footer={
        <>
          {!!list?.length && (
            <Button danger onClick={endAll}>
              {t('endAll')}
            </Button>
          )}
          <Button type="primary" onClick={onClose}>
            {product('common.close')}
          </Button>
        </>
      }
    >
      {(all) =>
        all.length === 0 ? (
          <p className={styles.nothing}>{t('nothing')}</p>
        ) : (
          <ul className={styles.list}>
            {all.map((one) => (
              <Row key={one.id} signIn={one} busy={ending.variables?.end === one.id && ending.isPending} end={end} />
            ))}
          </ul>
        )
      }
    </LoadingSheet>
  )
}

/** Reads the list, and ends what it is told to, which answers with the list as it is then. */
function useSignIns(context: ActionDialogProps['context']) {
  const client = useQueryClient()
  const queryKey = ['organisation', 'signIns', context.ids[0]]
  const list = async (input: End) => (await ask<{ content: SignIn[] }>(context, input)).content.sort(inOrder)
  const signIns = useQuery({ queryKey, queryFn: () => list({}), ...FRESH })
  const ending = useMutation({
    mutationFn: list,
    onSuccess: (after) => client.setQueryData(queryKey, after),
    onError: () => client.invalidateQueries({ queryKey }), // somebody else may have ended it
  })
  return { signIns, ending }
}

function Row({ signIn: one, busy, end }: { signIn: SignIn; busy: boolean; end: (what: End, done: string) => unknown }) {
  const t = texts.useText()
  const say = useFeedback()
  const context = useTextContext()
  const time = (at: string) => formatInstant(at, 'yyyy-MM-dd HH:mm', context)
  const name = one.script ? one.label || t('unnamed') : one.device ? deviceName(one.device) : t('unknown')
  const facts = one.script
    ? [t('created', { time: time(one.createdTime) }), t('until', { time: time(one.expiresTime) })]
    : [
        one.address,
        t('since', { time: time(one.createdTime) }),
        one.seenTime && t('seen', { time: time(one.seenTime) }),
      ]
  const word = one.script ? t('revoke') : t('end')
  const revoke = () =>
    say.modal.confirm({
      title: t('revokeAsk', { name }),
      content: t('revokeHint'),
      okText: word,
      okButtonProps: { danger: true },
      onOk: () => end({ end: one.id }, t('revoked')),
    })
  return (
    <li>
      <div>
        <strong>{name}</strong>
        {one.script && <Tag>{t('tokenTag')}</Tag>}
        <p>{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <Button
        size="small"
        loading={busy}
        aria-label={`${word} ${name}`}
        onClick={() => (one.script ? revoke() : end({ end: one.id }, t('ended')))}
      >
        {word}
      </Button>
    </li>
  )
}
