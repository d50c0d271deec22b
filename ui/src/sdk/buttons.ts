import { useNavigate, useParams } from 'react-router'
import type { DataOf } from '@/api/client'
import type { QueryAction } from '@/api/types'
import { type IconName, isIcon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { isOwnPath, isSafeAddress } from '@/lib/address'
import { type Locale, localName } from '@/lib/local-name'
import { useFeedback } from './feedback'
import { recordPath, useOpenForm, useOpenRecord } from './record-link'
import { useText } from './use-text'

/** What associationType says, by its number on the wire. */
export const associations = { none: 0, workflow: 1, form: 2, action: 3, url: 4, script: 5, list: 6 } as const

export type ButtonAnswer = DataOf<'/api/runtime/query/run_action', 'post'>

const textOf = (zh: string | null | undefined, i18n: QueryAction['hint_i18n'] | undefined, locale: Locale) =>
  localName({ name: zh ?? '', name_i18n: i18n ?? {} }, locale) || null

export const hintOf = (action: QueryAction, locale: Locale) => textOf(action.hint, action.hint_i18n, locale)

export const iconOf = (attributes: QueryAction['attributes']): IconName | null => {
  const name = attributes?.icon
  return typeof name === 'string' && isIcon(name) ? name : null
}

/** Asks what a button wants asked before it runs. */
export function useAskButton() {
  const t = useText()
  const locale = useLocale()
  const { modal } = useFeedback()
  return (action: QueryAction) => {
    const question = textOf(action.confirm, action.confirm_i18n, locale)
    if (!question) return Promise.resolve(true)
    return new Promise<boolean>((resolve) =>
      modal.confirm({
        title: localName(action, locale),
        content: question,
        okText: localName(action, locale),
        cancelText: t('common.cancel'),
        ...(action.attributes?.danger === true ? { okButtonProps: { danger: true } } : {}),
        onOk: () => resolve(true),
        onCancel: () => resolve(false),
      }),
    )
  }
}

/** Whether a button opens the form that starts a workflow. */
export const startsWorkflow = (action: QueryAction) =>
  action.associationType === associations.workflow && ['custom', 'add'].includes(action.queryActionType)

/** Opens what the server answered for a button: an address, a list, a form or the start of a workflow. */
export function useOpenAnswer() {
  const navigate = useNavigate()
  const openRecord = useOpenRecord()
  const openForm = useOpenForm()
  const { appCode } = useParams()
  return (answer: ButtonAnswer, action: QueryAction) => {
    const { url, relation } = answer
    const tab = action.attributes?.target === 'tab'
    if (answer.associationType === associations.workflow && url && isOwnPath(url)) {
      if (tab) window.open(url, '_blank', 'noopener')
      else openForm(url)
    } else if (url && isSafeAddress(url)) {
      if (tab || (action.attributes?.target !== 'same' && !isOwnPath(url))) window.open(url, '_blank', 'noopener')
      else if (isOwnPath(url)) navigate(url)
      else window.location.assign(url)
    } else if (answer.associationType === associations.list && answer.schemaCode) {
      const query = new URLSearchParams({ queryCode: answer.queryCode ?? '' })
      if (relation) query.set(`f.${relation.propertyCode}`, relation.id)
      if (relation?.name) query.set(`l.${relation.propertyCode}`, relation.name)
      const base = appCode ? `/application/${appCode}/application-list` : '/test-specific-model-list2'
      navigate(`${base}/${answer.schemaCode}?${query}`)
    } else if (answer.associationType === associations.form && answer.schemaCode) {
      const address = {
        schemaCode: answer.schemaCode,
        sheetCode: answer.sheetCode ?? null,
        id: answer.objectId ?? null,
        edit: action.attributes?.edit === true,
        ...(relation ? { relation } : {}),
      }
      if (tab) window.open(recordPath(address), '_blank', 'noopener')
      else openRecord(address)
    }
  }
}
