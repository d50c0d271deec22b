import { useNavigate, useParams } from 'react-router'
import { type DataOf, post } from '@/api/client'
import type { QueryAction, Row } from '@/api/types'
import { type IconName, isIcon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { isOwnPath, isSafeAddress } from '@/lib/address'
import { type Locale, localName } from '@/lib/local-name'
import { useFeedback } from '@/sdk/feedback'
import { useOpenRecord } from '@/sdk/record-link'
import { useText } from '@/sdk/use-text'
import type { ListAction } from './use-list-actions'
import type { ListController } from './use-list-controller'

/** What associationType says, by its number on the wire. */
export const associations = { none: 0, workflow: 1, form: 2, action: 3, url: 4, script: 5, list: 6 } as const

type Answer = DataOf<'/api/runtime/query/run_action', 'post'>

const textOf = (zh: string | null | undefined, i18n: QueryAction['hint_i18n'] | undefined, locale: Locale) =>
  localName({ name: zh ?? '', name_i18n: i18n ?? {} }, locale) || null

export const hintOf = (action: QueryAction, locale: Locale) => textOf(action.hint, action.hint_i18n, locale)

const iconOf = (attributes: QueryAction['attributes']): IconName | null => {
  const name = attributes?.icon
  return typeof name === 'string' && isIcon(name) ? name : null
}

/** The buttons that a definition makes itself. What one does is the server's to say, each time it is pressed. */
export function useCustomActions(controller: ListController) {
  const t = useText()
  const locale = useLocale()
  const say = useFeedback()
  const navigate = useNavigate()
  const openRecord = useOpenRecord()
  const { appCode } = useParams()
  const { config, script } = controller
  const { schemaCode, queryCode } = config

  const open = (answer: Answer, action: QueryAction) => {
    const { url, relation } = answer
    if (url && isSafeAddress(url)) {
      const target = action.attributes?.target ?? (isOwnPath(url) ? 'same' : 'tab')
      if (target === 'tab') window.open(url, '_blank', 'noopener')
      else if (isOwnPath(url)) navigate(url)
      else window.location.assign(url)
    } else if (answer.associationType === associations.list && answer.schemaCode) {
      const query = new URLSearchParams({ queryCode: answer.queryCode ?? '' })
      if (relation) query.set(`f.${relation.propertyCode}`, relation.id)
      if (relation?.name) query.set(`l.${relation.propertyCode}`, relation.name)
      const base = appCode ? `/application/${appCode}/application-list` : '/test-specific-model-list2'
      navigate(`${base}/${answer.schemaCode}?${query}`)
    } else if (answer.associationType === associations.form && answer.schemaCode) {
      openRecord({
        schemaCode: answer.schemaCode,
        sheetCode: answer.sheetCode ?? null,
        id: answer.objectId ?? null,
        edit: action.attributes?.edit === true,
        ...(relation ? { relation } : {}),
      })
    }
  }
  const press = async (action: QueryAction, rows: Row[]) => {
    const type = action.associationType
    if (type === associations.none || type === associations.script) return undefined
    const objectIds = rows.map((row) => row.id)
    try {
      const answer = await post('/api/runtime/query/run_action', {
        schemaCode,
        queryCode,
        actionCode: action.actionCode,
        objectIds,
      })
      open(answer, action)
      if (type !== associations.action) return answer
      say.success(t('table.ran', { name: localName(action, locale) }))
      if (action.attributes?.refresh !== false) await controller.refresh()
      return answer.data
    } catch (error) {
      say.error(error)
      return undefined
    }
  }
  const ask = (action: QueryAction) => {
    const question = textOf(action.confirm, action.confirm_i18n, locale)
    if (!question) return Promise.resolve(true)
    return new Promise<boolean>((resolve) =>
      say.modal.confirm({
        title: localName(action, locale),
        content: question,
        okText: t('common.confirm'),
        cancelText: t('common.cancel'),
        ...(action.attributes?.danger === true ? { okButtonProps: { danger: true } } : {}),
        onOk: () => resolve(true),
        onCancel: () => resolve(false),
      }),
    )
  }

  return (action: QueryAction): ListAction[] => {
    const type = action.associationType
    if (action.queryActionType !== 'custom' && type !== associations.action) return []
    const run = async (rows: Row[]) => {
      const chosen = action.row ? rows : [...controller.store.getState().selected.values()]
      return (await ask(action)) ? press(action, chosen) : undefined
    }
    script.actions.set(action.actionCode, run)
    return [
      {
        name: action.actionCode,
        type: 'custom',
        label: localName(action, locale) || action.actionCode,
        icon: iconOf(action.attributes),
        hint: hintOf(action, locale),
        danger: action.attributes?.danger === true,
        place: action.row ? 'row' : 'page',
        all: false,
        bulk: false,
        shortcut: null,
        enabled: (rows) => !action.row || rows.every((row) => row.actions?.includes(action.actionCode) ?? false),
        run: (rows) => script.around(action.actionCode, rows, run),
      },
    ]
  }
}
