import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Input, InputNumber } from 'antd'
import { useId, useState } from 'react'
import { Choice } from '@/components/choice'
import { useErrorText } from '@/sdk/error-text'
import { useText } from '@/sdk/use-text'
import { makeLink } from './api'
import styles from './links.module.css'

const DAYS = [1, 7, 30, 90, 366]

interface Props {
  form: string
  /** The record that it shows; missing: it adds records. */
  objectId?: string | undefined
  onClose: () => void
  onMade: (address: string) => void
}

export function NewLink({ form, objectId, onClose, onMade }: Props) {
  const t = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const id = useId()
  const [label, setLabel] = useState('')
  const [days, setDays] = useState(30)
  const [most, setMost] = useState<number | null>(null)
  const [missing, setMissing] = useState(false)
  const making = useMutation({
    mutationFn: () => makeLink({ form, ...(objectId ? { objectId } : {}), label: label.trim(), days, most: most ?? 0 }),
    onSuccess: ({ address }) => onMade(address),
    onSettled: () => client.invalidateQueries({ queryKey: ['external'] }),
  })
  return (
    <form
      className={styles.form}
      data-plain={objectId ? true : undefined}
      onSubmit={(event) => {
        event.preventDefault()
        if (label.trim() === '') setMissing(true)
        else making.mutate()
      }}
    >
      {objectId && <p className={styles.about}>{t('external.recordHint')}</p>}
      <label className={styles.field} htmlFor={`${id}-label`}>
        {t('external.label')}
        <Input
          id={`${id}-label`}
          autoFocus
          value={label}
          maxLength={100}
          status={missing ? 'error' : ''}
          placeholder={objectId ? t('external.labelExampleRecord') : t('external.labelExample')}
          onChange={(event) => {
            setLabel(event.target.value)
            setMissing(false)
          }}
        />
        {missing && <span role="alert">{t('external.labelMissing')}</span>}
      </label>
      <label className={styles.field} htmlFor={`${id}-days`}>
        {t('external.days')}
        <Choice
          id={`${id}-days`}
          value={days}
          onChange={setDays}
          options={DAYS.map((count) => ({ value: count, label: t('external.daysOf', { count }) }))}
        />
      </label>
      {!objectId && (
        <label className={styles.field} htmlFor={`${id}-most`}>
          {t('external.most')}
          <InputNumber
            id={`${id}-most`}
            style={{ width: '100%' }}
            min={1}
            max={1_000_000}
            precision={0}
            value={most}
            placeholder={t('external.mostAny')}
            onChange={setMost}
          />
        </label>
      )}
      {making.error && <Alert type="error" title={errorText(making.error)} />}
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button type="primary" htmlType="submit" loading={making.isPending}>
          {t('external.make')}
        </Button>
      </div>
    </form>
  )
}
