import { useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { WORKBENCH } from '@/sdk/portal'
import { useText } from '@/sdk/use-text'
import frame from '../design.module.css'
import { isCode } from '../shared/begun'
import { designedQuery } from './api'
import type { Page } from './page'

interface Props {
  appCode: string | null
  onBegin: (code: string, page: Page) => void
}

/** What a new page begins with: its names and its code. */
export function NewPage({ appCode, onBegin }: Props) {
  const t = useText()
  const id = useId()
  const { data } = useQuery(designedQuery(appCode))
  const [[zh, en, code], setTyped] = useState(['', '', ''] as [string, string, string])
  const [asked, setAsked] = useState(false)
  const taken = data?.some((one) => one.portalCode.toLowerCase() === code.toLowerCase())
  const wrong = {
    zh: zh.trim() ? '' : t('design.nameNeeded'),
    code: !isCode(code) ? t('design.codeWrong') : taken ? t('portalDesign.codeTaken') : '',
  }
  const begin = () => {
    setAsked(true)
    if (wrong.zh || wrong.code) return
    const names = { name: zh.trim(), ...(en.trim() && { name_i18n: { en: en.trim() } }) }
    // The first page of an application, unless it has one.
    const own = appCode && !data?.some((one) => one.appCode === appCode) ? { appCode } : {}
    onBegin(code, { ...names, ...own, widgets: [] })
  }
  const workbench = !appCode && data && !data.some((one) => one.portalCode === WORKBENCH)
  const field = (key: string, label: string, problem: string | undefined, control: (id: string) => React.ReactNode) => (
    <div className={frame.field}>
      <label htmlFor={`${id}${key}`}>{label}</label>
      {control(`${id}${key}`)}
      {asked && problem && (
        <span className={frame.wrong} role="alert">
          {problem}
        </span>
      )}
    </div>
  )
  return (
    <form
      className={frame.new}
      onSubmit={(event) => {
        event.preventDefault()
        begin()
      }}
    >
      <h1>{t('portalDesign.newTitle')}</h1>
      {field('z', t('design.nameZh'), wrong.zh, (at) => (
        <Input id={at} autoFocus value={zh} onChange={(event) => setTyped([event.target.value, en, code])} />
      ))}
      {field('e', t('design.nameEn'), undefined, (at) => (
        <Input id={at} value={en} onChange={(event) => setTyped([zh, event.target.value, code])} />
      ))}
      {field('c', t('design.code'), wrong.code, (at) => (
        <Input
          id={at}
          className={frame.code ?? ''}
          value={code}
          maxLength={63}
          onChange={(event) => setTyped([zh, en, event.target.value.trim()])}
        />
      ))}
      {workbench && <p>{t('portalDesign.workbenchHint', { code: WORKBENCH })}</p>}
      <div>
        <Button type="primary" htmlType="submit">
          {t('design.begin')}
        </Button>
      </div>
    </form>
  )
}
