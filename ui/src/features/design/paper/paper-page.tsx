import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useState } from 'react'
import { useParams } from 'react-router'
import { Notice } from '@/components/notice'
import { usePageTitle } from '@/lib/page-title'
import { Failure } from '@/sdk/failure'
import { lostOf } from '@/sdk/lost'
import { useText } from '@/sdk/use-text'
import { readJson } from '../shared/json'
import { printDesignQuery } from './api'
import { Editor } from './editor'
import { NewTemplate } from './new-template'
import { isTemplate, type Template } from './template'

/** A print template that is being designed, in a tab of its own. */
export function PaperPage() {
  const t = useText()
  const { appCode = '', printCode = '' } = useParams()
  const [begun, setBegun] = useState<{ code: string; template: Template } | null>(null)
  const fresh = printCode === 'new'
  const { data, error } = useQuery(printDesignQuery(appCode, fresh ? null : printCode))
  usePageTitle(t('paper.title'))
  const lost = lostOf({ data, error })
  if (lost) return <Failure page error={lost} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 8 }} style={{ padding: 24 }} />
  if (fresh && !begun) return <NewTemplate design={data} onBegin={(code, template) => setBegun({ code, template })} />
  if (fresh && begun)
    return <Editor key={begun.code} design={{ ...data, printCode: begun.code }} first={begun.template} before={null} />
  const template = readJson(data.text)
  if (!isTemplate(template))
    return <Notice page role="alert" icon="alert" title={t('paper.cannotDraw')} text={t('paper.notATemplate')} />
  return <Editor key={data.printCode} design={data} first={template} before={template} />
}
