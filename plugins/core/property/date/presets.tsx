import { lastDaysOf, relativeWords, useText } from '@sluice/sdk'
import { Button, InputNumber } from 'antd'
import { useState } from 'react'
import styles from './presets.module.css'

interface Props {
  word: string | null
  onChoose: (word: string) => void
}

/** Words for days below the calendar: they mean other days tomorrow. */
export function Presets({ word, onChoose }: Props) {
  const t = useText()
  const [count, setCount] = useState(lastDaysOf(word ?? '') ?? 7)
  const last = `lastDays:${count}`
  return (
    <div className={styles.presets}>
      {relativeWords.map((one) => (
        <Button key={one} size="small" type={one === word ? 'primary' : 'default'} onClick={() => onChoose(one)}>
          {t(`filter.${one}`)}
        </Button>
      ))}
      <span className={styles.last}>
        <InputNumber
          size="small"
          min={1}
          max={9999}
          precision={0}
          value={count}
          aria-label={t('filter.lastDaysLabel')}
          className={styles.count ?? ''}
          onChange={(next) => setCount(next ?? 1)}
          onPressEnter={() => onChoose(last)}
        />
        <Button size="small" type={last === word ? 'primary' : 'default'} onClick={() => onChoose(last)}>
          {t('filter.lastDays', { count })}
        </Button>
      </span>
    </div>
  )
}
