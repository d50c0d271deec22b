import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useMemo } from 'react'
import { useNavigate, useParams } from 'react-router'
import { usePageTitle } from '@/lib/page-title'
import { Failure } from '@/sdk/failure'
import { lostOf } from '@/sdk/lost'
import { useText } from '@/sdk/use-text'
import { nameOf } from '../shared/api'
import { begin } from '../shared/begun'
import { OpenDocument } from '../shared/open-document'
import { choicesQuery } from './api'
import { addressOf, Editor } from './editor'
import { NewTemplate } from './new-template'
import { isTemplate } from './template'

/** A print template that is being designed, in a tab of its own. */
export function PaperPage() {
  const t = useText()
  const navigate = useNavigate()
  const { appCode = '', printCode = '' } = useParams()
  const { data, error } = useQuery(choicesQuery(appCode))
  const of = useMemo(() => nameOf('print', printCode, appCode), [printCode, appCode])
  usePageTitle(t('paper.title'))
  const lost = lostOf({ data, error })
  if (lost) return <Failure page error={lost} who={t('desk.forbidden')} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 8 }} style={{ padding: 24 }} />
  if (printCode === 'new')
    return (
      <NewTemplate
        design={{ ...data, printCode: '' }}
        addressOf={(code) => addressOf(appCode, code)}
        onBegin={(code, template) => {
          begin('print', code, template)
          void navigate(addressOf(appCode, code), { replace: true })
        }}
      />
    )
  return (
    <OpenDocument
      key={printCode}
      of={of}
      draws={isTemplate}
      refusal={t('paper.notATemplate')}
      empty={() => null}
      address={addressOf(appCode, 'new')}
    >
      {(beginning) => <Editor design={{ ...data, printCode }} beginning={beginning} />}
    </OpenDocument>
  )
}
