import { useQuery } from '@tanstack/react-query'
import { AskedChoice, namedChoice } from '@/sdk/asked-choice'
import { participantsQuery } from '../admin/admin-api'
import type { ListSearch } from '../center/use-search'
import styles from '../workflow.module.css'
import { useFlowWords } from './words'

/** Whose tasks are shown; also people who have left are found. */
export function ParticipantChoice({ search }: { search: ListSearch }) {
  const { t } = useFlowWords()
  const chosen = search.text('participant')
  return (
    <AskedChoice
      className={styles.filter ?? ''}
      aria-label={t('flowAdmin.participant')}
      placeholder={t('flowAdmin.anyone')}
      value={chosen ? [chosen] : []}
      query={(keyword) => participantsQuery(keyword, chosen)}
      choices={(people) =>
        people.map(({ id, name, detail, disabled }) => {
          const called = disabled ? t('flowAdmin.departedMark', { name }) : name
          return namedChoice({ id, name: called, detail })
        })
      }
      onChange={([value]) => search.set({ participant: value })}
    />
  )
}

/** The name of the person whose tasks are shown. */
export function useParticipant(id: string | undefined): string {
  const { data } = useQuery({ ...participantsQuery('', id), enabled: id !== undefined })
  return data?.find((one) => one.id === id)?.name ?? ''
}
