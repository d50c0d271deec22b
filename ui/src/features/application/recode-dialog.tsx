import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { useLocale } from '@/i18n/locale'
import { useReturnFocus } from '@/lib/return-focus'
import { AccessReport } from '@/sdk/access/report'
import { useFeedback } from '@/sdk/feedback'
import { type Recoded, recode, type Thing } from '@/sdk/names/api'
import { UsingPlaces } from '@/sdk/names/uses'
import { useText } from '@/sdk/use-text'
import styles from './application.module.css'
import { Steps } from './import-dialog'
import { Labelled } from './labels'
import { Problems, Refusal } from './refusal'

interface Props {
  appCode: string
  thing: Thing
  /** It has another name now. */
  onDone: (name: string) => void
  onClose: () => void
}

const CODE = /^[a-zA-Z][a-zA-Z0-9_]{0,62}$/

/** Gives a thing another code, after it has shown what changes with it. Typing another code asks again. */
export function RecodeDialog({ appCode, thing, onDone, onClose }: Props) {
  useReturnFocus()
  const t = useText()
  const locale = useLocale()
  const id = useId()
  const say = useFeedback()
  const client = useQueryClient()
  const [code, setCode] = useState('')
  const [found, setFound] = useState<{ code: string; of: Recoded } | null>(null)
  const request = { appCode, kind: thing.kind, name: thing.name, code }
  const look = useMutation({
    mutationFn: () => recode({ ...request, check: true }),
    onSuccess: (of, _) => setFound({ code, of }),
  })
  const owner = thing.name.replace(/[^.]*$/, '')
  const change = useMutation({
    mutationFn: () => recode({ ...request, confirm: found?.of.digest ?? '' }),
    onSuccess: async () => {
      await Promise.all(
        ['names', 'managed', 'apps', 'menu'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      )
      say.success(t('uses.recoded', { code }))
      onDone(`${owner}${code}`)
      onClose()
    },
  })
  const shown = found?.code === code ? found.of : null
  const ready = shown !== null && shown.files.length > 0 && shown.diagnostics.every((one) => one.severity !== 'error')
  const name = thing.label.i18n?.[locale] || thing.label.zh
  const fine = CODE.test(code) && code.toLowerCase() !== thing.name.slice(owner.length).toLowerCase()
  return (
    <Modal
      open
      width={720}
      title={t('uses.recodeTitle', { name })}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button disabled={!fine || ready} loading={look.isPending} onClick={() => look.mutate()}>
            {t('uses.look')}
          </Button>
          <Button type="primary" disabled={!ready} loading={change.isPending} onClick={() => change.mutate()}>
            {t('uses.change')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p>{t('uses.recodeOf', { code: thing.name })}</p>
        <Labelled id={`${id}code`} label={t('uses.newCode')} hint={t('uses.newCodeHint')}>
          <Input
            id={`${id}code`}
            autoComplete="off"
            maxLength={63}
            value={code}
            onChange={(event) => setCode(event.target.value.trim())}
            onPressEnter={() => fine && !ready && look.mutate()}
          />
        </Labelled>
        <Refusal error={look.error ?? change.error} />
        {shown && <Found found={shown} />}
      </div>
    </Modal>
  )
}

function Found({ found }: { found: Recoded }) {
  const t = useText()
  if (found.diagnostics.some((one) => one.severity === 'error'))
    return (
      <div role="alert">
        <p>{t('uses.refused')}</p>
        <Problems diagnostics={found.diagnostics} />
      </div>
    )
  return (
    <>
      <p role="status">{t('uses.changes', { count: found.places, files: found.files.length })}</p>
      <ul className={styles.plain}>
        {found.files.map((one) => (
          <li key={`${one.pack}/${one.path}`}>
            {one.path === one.to
              ? `${one.pack}/${one.path}`
              : t('uses.moves', { from: `${one.pack}/${one.path}`, to: one.to })}
          </li>
        ))}
      </ul>
      {found.drafts.length > 0 && (
        <p>{t('uses.draftsFollow', { names: found.drafts.map((one) => `${one.pack}/${one.path}`).join(', ') })}</p>
      )}
      {found.possible.length > 0 && (
        <>
          <p>{t('uses.stay')}</p>
          {found.possible.map((one) => (
            <UsingPlaces key={`${one.pack}/${one.path}`} of={one} />
          ))}
        </>
      )}
      <Steps steps={found.steps} />
      {found.access && found.access.groups.length > 0 && <AccessReport report={found.access} />}
    </>
  )
}
