import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Choice } from '@/components/choice'
import { participantsQuery } from '../admin/admin-api'
import type { ListSearch } from '../center/use-search'
import styles from '../workflow.module.css'
import { useFlowWords } from './words'

/** Whose tasks are shown; also people who have left are found. */
export function ParticipantChoice({ search }: { search: ListSearch }) {
  const { t } = useFlowWords()
  const [typed, setTyped] = useState('')
  const chosen = search.text('participant')
  const { data: people = [] } = useQuery(participantsQuery(useDeferredValue(typed), chosen))
  return (
    <Choice
      className={styles.filter ?? ''}
      aria-label={t('flowAdmin.participant')}
      placeholder={t('flowAdmin.anyone')}
      allowClear
      showSearch={{ filterOption: false, onSearch: setTyped }}
      value={chosen ?? null}
      options={people.map(({ id, name, detail, disabled }) => {
        const called = disabled ? t('flowAdmin.departedMark', { name }) : name
        return { value: id, label: detail ? `${called} · ${detail}` : called }
      })}
      onChange={(value) => search.set({ participant: (value as string | null) ?? undefined })}
    />
  )
}

/** The name of the person whose tasks are shown. */
export function useParticipant(id: string | undefined): string {
  const { data } = useQuery({ ...participantsQuery('', id), enabled: id !== undefined })
  return data?.find((one) => one.id === id)?.name ?? ''
}
