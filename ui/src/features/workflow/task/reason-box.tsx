import type { Ref } from 'react'
import { useText } from '@/sdk/use-text'
import { WordsBox } from './words-box'

interface Props {
  value: string
  onChange: (value: string) => void
  focus: Ref<{ focus: () => void }>
}

/** Why an administrator does something: the log shows it. */
export function ReasonBox(props: Props) {
  const t = useText()
  return <WordsBox label={t('flowAdmin.reason')} placeholder={t('flowAdmin.reasonHint')} {...props} />
}
