import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { Icon } from '@/components/icon'
import { useFeedback } from '@/sdk/feedback'
import { Sheet } from '@/sdk/sheet'
import { useText } from '@/sdk/use-text'
import { usePreferences, useQuickTexts, useSetPreferences } from '../settings/preferences'
import styles from './opinion.module.css'
import { OverNote, overBy } from './words-box'

const MOST = 20

/** Lets somebody change their quick opinions, and who administers workflows those of everybody. */
export function QuickOpinionsDialog({ onClose }: { onClose: () => void }) {
  const t = useText()
  return (
    <Sheet
      title={t('opinion.quickTitle')}
      width={560}
      onClose={onClose}
      footer={
        <div className={styles.padFoot}>
          <span className={styles.gap} />
          <Button type="primary" onClick={onClose}>
            {t('common.close')}
          </Button>
        </div>
      }
    >
      <QuickOpinions />
    </Sheet>
  )
}

export function QuickOpinions() {
  const t = useText()
  const preferences = usePreferences()
  const { products, own, common } = useQuickTexts(preferences)
  const set = useSetPreferences()
  if (!preferences) return null
  return (
    <>
      <Texts
        title={t('opinion.quickOwn')}
        texts={own}
        saving={set.isPending}
        onChange={(next) => set.mutateAsync({ own: next })}
      />
      {preferences.canEditCommon && (
        <Texts
          title={t('opinion.quickCommon')}
          texts={common}
          saving={set.isPending}
          onChange={(next) => set.mutateAsync({ common: next })}
          onReset={preferences.common ? () => void set.mutate({ common: products }) : undefined}
        />
      )}
    </>
  )
}

interface TextsProps {
  title: string
  texts: string[]
  saving: boolean
  onChange: (texts: string[]) => Promise<unknown>
  onReset?: (() => void) | undefined
}

function Texts({ title, texts, saving, onChange, onReset }: TextsProps) {
  const t = useText()
  const say = useFeedback()
  const id = useId()
  const [added, setAdded] = useState('')
  const keep = (next: string[]) =>
    onChange(next).then(
      () => say.success(t('opinion.saved')),
      () => {},
    )
  const add = () => {
    const text = added.trim()
    if (!text || texts.length >= MOST || overBy(text) > 0) return
    void keep([...texts.filter((one) => one !== text), text])
    setAdded('')
  }
  return (
    <section className={styles.quicks} aria-label={title}>
      <header>
        <h3>{title}</h3>
        {onReset && (
          <Button type="text" onClick={onReset}>
            {t('opinion.quickReset')}
          </Button>
        )}
      </header>
      {texts.length === 0 && <p className={styles.note}>{t('opinion.quickEmpty')}</p>}
      <ul>
        {texts.map((text, index) => (
          <li key={text}>
            <Edited
              text={text}
              number={index + 1}
              onChange={(next) => keep(texts.map((one) => (one === text ? next : one)))}
            />
            <Button
              type="text"
              disabled={index === 0 || saving}
              aria-label={t('opinion.quickUp', { text })}
              icon={<Icon name="up" size={14} />}
              onClick={() => void keep(texts.with(index - 1, text).with(index, texts[index - 1] ?? ''))}
            />
            <Button
              type="text"
              disabled={saving}
              aria-label={t('opinion.quickRemove', { text })}
              icon={<Icon name="trash" size={14} />}
              onClick={() => void keep(texts.filter((one) => one !== text))}
            />
          </li>
        ))}
      </ul>
      <div className={styles.quickAdd}>
        <Input
          value={added}
          status={overBy(added) > 0 ? 'error' : ''}
          aria-invalid={overBy(added) > 0 || undefined}
          aria-describedby={`${id}-over`}
          disabled={texts.length >= MOST}
          aria-label={t('opinion.quickNew')}
          placeholder={texts.length >= MOST ? t('opinion.quickFull', { most: MOST }) : t('opinion.quickNew')}
          onChange={(event) => setAdded(event.target.value)}
          onPressEnter={(event) => {
            if (event.nativeEvent.isComposing) return
            event.preventDefault()
            add()
          }}
        />
        <Button disabled={!added.trim() || texts.length >= MOST} onClick={add}>
          {t('opinion.quickAdd')}
        </Button>
      </div>
      <OverNote id={`${id}-over`} text={added} />
    </section>
  )
}

function Edited({ text, number, onChange }: { text: string; number: number; onChange: (text: string) => unknown }) {
  const t = useText()
  const id = useId()
  const [now, setNow] = useState(text)
  const end = () => {
    const next = now.trim()
    if (overBy(next) > 0) return
    if (next && next !== text) onChange(next)
    else setNow(text)
  }
  return (
    <div className={styles.quickText}>
      <Input
        variant="borderless"
        value={now}
        status={overBy(now) > 0 ? 'error' : ''}
        aria-label={t('opinion.quickNumber', { n: number })}
        aria-invalid={overBy(now) > 0 || undefined}
        aria-describedby={`${id}-over`}
        onChange={(event) => setNow(event.target.value)}
        onBlur={end}
        onPressEnter={(event) => event.currentTarget.blur()}
      />
      <OverNote id={`${id}-over`} text={now} />
    </div>
  )
}
