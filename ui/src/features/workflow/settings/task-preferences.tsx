import { Button } from 'antd'
import { useState } from 'react'
import { fileAddress } from '@/api/files'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import styles from '../task/opinion.module.css'
import { QuickOpinions } from '../task/quick-opinions'
import { SignaturePad } from '../task/signature-pad'
import { storeInk, usePreferences, useSetPreferences } from './preferences'

/** What somebody uses when they handle tasks: their signature and quick opinions. */
export function TaskPreferences() {
  const t = useText()
  const say = useFeedback()
  const preferences = usePreferences()
  const set = useSetPreferences()
  const [drawing, setDrawing] = useState(false)
  const keep = async (ink: Blob) => {
    setDrawing(false)
    try {
      await set.mutateAsync({ signature: await storeInk(ink) })
      say.success(t('opinion.saved'))
    } catch (error) {
      if (!set.isError) say.error(error)
    }
  }
  if (!preferences) return null
  const { signature } = preferences
  return (
    <>
      <section className={styles.quicks} aria-label={t('opinion.mySignature')}>
        <header>
          <h3>{t('opinion.mySignature')}</h3>
        </header>
        <div className={styles.mine}>
          {signature ? (
            <img src={fileAddress(signature, 'inline')} alt={t('opinion.mySignature')} />
          ) : (
            <p className={styles.note}>{t('opinion.noSignature')}</p>
          )}
          <span className={styles.gap} />
          <Button loading={set.isPending} onClick={() => setDrawing(true)}>
            {t(signature ? 'opinion.signAgain' : 'opinion.sign')}
          </Button>
          {signature && (
            <Button danger disabled={set.isPending} onClick={() => set.mutate({ signature: '' })}>
              {t('opinion.signRemove')}
            </Button>
          )}
        </div>
      </section>
      <QuickOpinions />
      {drawing && (
        <SignaturePad offersKeeping={false} onClose={() => setDrawing(false)} onSigned={(ink) => void keep(ink)} />
      )}
    </>
  )
}
