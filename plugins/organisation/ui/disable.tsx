import { type ActionDialogProps, useFeedback, useText } from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { Button, Tag } from 'antd'
import { useState } from 'react'
import { codes } from './codes'
import { ask, FRESH, LoadingSheet } from './loading-sheet'
import styles from './sign-ins.module.css'
import { texts } from './texts'

type Fate = 'stays' | 'pauses' | 'ends'

interface Belonging {
  kind: keyof typeof KINDS
  count: number
  disabled: Fate
}

/** What people have, by the server's words. */
const KINDS = {
  ...({ session: 'kindSession', token: 'kindToken', identity: 'kindIdentity', link: 'kindLink' } as const),
  ...({ draft: 'kindDraft', documentDraft: 'kindDocumentDraft', sharedFilter: 'kindSharedFilter' } as const),
  ...({ delegation: 'kindDelegation', delegatedTo: 'kindDelegatedTo', task: 'kindTask', job: 'kindJob' } as const),
  ...({ record: 'kindRecord', department: 'kindDepartment', role: 'kindRole' } as const),
}

const FATES = {
  ends: { text: 'fateEnds', color: 'red' },
  pauses: { text: 'fatePauses', color: 'orange' },
  stays: { text: 'fateStays', color: 'default' },
} as const
const ORDER: Fate[] = ['ends', 'pauses', 'stays']

/** What a person has and what becomes of it, before the account is disabled. */
export default function Disable({ context, onClose }: ActionDialogProps) {
  const product = useText()
  const t = texts.useText()
  const say = useFeedback()
  const [busy, setBusy] = useState(false)
  const left = useLeft(context)
  const row = context.rows[0]
  const name = String(row?.data[codes.name] ?? '')
  const disable = async () => {
    setBusy(true)
    try {
      await context.call()
      onClose()
    } catch (error) {
      say.error(error)
      setBusy(false)
    }
  }
  return (
    <LoadingSheet
      title={t('disableTitle', { name })}
      onClose={onClose}
      query={left}
      lines={4}
      head={<p style={{ marginBlock: '4px 12px' }}>{t('disableAsk')}</p>}
      footer={
        <>
          <Button onClick={onClose}>{product('common.cancel')}</Button>
          <Button type="primary" danger loading={busy} disabled={!left.data} onClick={disable}>
            {t('disable')}
          </Button>
        </>
      }
    >
      {(things) =>
        things.length === 0 ? (
          <p className={styles.nothing}>{t('leavesNothing')}</p>
        ) : (
          <>
            <ul className={styles.list}>
              {things.map((one) => (
                <li key={one.kind}>
                  <div>
                    <strong>{KINDS[one.kind] ? t(KINDS[one.kind]) : one.kind}</strong>
                    <span>{one.count}</span>
                  </div>
                  <Tag color={FATES[one.disabled].color}>{t(FATES[one.disabled].text)}</Tag>
                </li>
              ))}
            </ul>
            <p className={styles.nothing}>{t('handOverHint')}</p>
          </>
        )
      }
    </LoadingSheet>
  )
}

/** What there is of each kind; what ends comes first. */
function useLeft(context: ActionDialogProps['context']) {
  return useQuery({
    queryKey: ['organisation', 'belongings', context.ids[0]],
    queryFn: async () => {
      const all = (await ask<{ content: Belonging[] }>(context, { look: true })).content.filter((one) => one.count > 0)
      return all.sort((a, b) => ORDER.indexOf(a.disabled) - ORDER.indexOf(b.disabled))
    },
    ...FRESH,
  })
}
