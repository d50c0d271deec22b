import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { fileAddress } from '@/api/files'
import { Icon } from '@/components/icon'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import { storeInk, usePreferences, useSetPreferences } from '../settings/preferences'
import extra from './opinion.module.css'
import { SAVED } from './said'
import { SignaturePad } from './signature-pad'
import styles from './task.module.css'

interface Props {
  value: string
  onChange: (signature: string) => void
  missing: boolean
}

/** The signature of an opinion: the saved one where there is one, or one that is written here. */
export function SignField({ value, onChange, missing }: Props) {
  const t = useText()
  const say = useFeedback()
  const preferences = usePreferences()
  const set = useSetPreferences()
  const [drawing, setDrawing] = useState(false)
  const [sending, setSending] = useState(false)
  const saved = preferences?.signature ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the saved one is known
  useEffect(() => {
    if (saved && value === '') onChange(SAVED)
  }, [saved])
  const sign = async (ink: Blob, keep: boolean) => {
    setDrawing(false)
    setSending(true)
    try {
      const file = await storeInk(ink)
      if (keep) await set.mutateAsync({ signature: file })
      onChange(keep ? SAVED : file)
    } catch (error) {
      say.error(error)
    } finally {
      setSending(false)
    }
  }
  const shown = value === SAVED ? saved : value
  return (
    <span className={extra.sign}>
      {shown && <img className={extra.ink} src={fileAddress(shown, 'inline')} alt={t('opinion.signed')} />}
      <Button
        type={shown ? 'text' : 'default'}
        danger={missing && !shown}
        icon={<Icon name="edit" size={14} />}
        loading={sending}
        onClick={() => setDrawing(true)}
      >
        {t(shown ? 'opinion.signAgain' : 'opinion.sign')}
      </Button>
      {saved && value !== SAVED && (
        <Button type="text" onClick={() => onChange(SAVED)}>
          {t('opinion.useSaved')}
        </Button>
      )}
      {missing && !shown && (
        <span className={styles.wrong} role="alert">
          {t('opinion.signNeeded')}
        </span>
      )}
      {drawing && (
        <SignaturePad offersKeeping onClose={() => setDrawing(false)} onSigned={(ink, keep) => void sign(ink, keep)} />
      )}
    </span>
  )
}
