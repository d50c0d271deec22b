import type { Ref } from 'react'
import type { Person } from '@/lib/mentions'
import { MentionField as Field } from '@/sdk/mention-field'
import { useText } from '@/sdk/use-text'
import { type Place, peopleQuery } from './api'

interface Props {
  place: Place
  value: string
  onChange: (value: string) => void
  onPick: (person: Person) => void
  onSend: () => void
  offers: 'above' | 'below'
  invalid: boolean
  disabled: boolean
  focus: Ref<{ focus: () => void }>
}

/** A text in which @ offers the people who may read the record. */
export function MentionField({ place, ...props }: Props) {
  const t = useText()
  return (
    <Field
      {...props}
      people={(word) => peopleQuery(place, word)}
      words={{ people: t('comment.people'), nobody: t('comment.nobody') }}
      placeholder={t('comment.placeholder')}
      label={t('comment.placeholder')}
      rows={{ min: 2, max: 8 }}
    />
  )
}
