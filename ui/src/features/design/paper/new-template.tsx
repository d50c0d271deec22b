import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Input } from 'antd'
import { useId, useState } from 'react'
import { Choice } from '@/components/choice'
import { useText } from '@/sdk/use-text'
import frame from '../design.module.css'
import { isCode } from '../shared/begun'
import { Drafts } from '../shared/drafts'
import { type PrintDesign, printModelQuery } from './api'
import { arrange } from './arrange'
import type { Template } from './template'
import { usePaperWords } from './words'

/** What a new template begins with: its model and form, its names, its code. The fields of the form are arranged at once. */
export function NewTemplate({
  design,
  addressOf,
  onBegin,
}: {
  design: PrintDesign
  addressOf: (code: string) => string
  onBegin: (code: string, template: Template) => void
}) {
  const t = useText()
  const words = usePaperWords(undefined)
  const id = useId()
  const own = design.models.filter((one) => one.own)
  const models = own.length ? own : design.models
  const [model, setModel] = useState<string | null>(models[0]?.code ?? null)
  const { data: about } = useQuery(printModelQuery(design.appCode, model ?? ''))
  const [sheet, setSheet] = useState<string | null>(null)
  const [only, setOnly] = useState(false)
  const [[zh, en, code], setTyped] = useState(['', '', ''] as [string, string, string])
  const [asked, setAsked] = useState(false)
  const form = about?.forms.find((one) => one.sheetCode === sheet) ?? about?.forms[0]
  const taken = design.prints.some((one) => one.code.toLowerCase() === code.toLowerCase())
  const wrong = {
    model: model ? '' : t('design.modelNeeded'),
    zh: zh.trim() ? '' : t('design.nameNeeded'),
    code: !isCode(code) ? t('design.codeWrong') : taken ? t('paper.codeTaken') : '',
  }
  const begin = () => {
    setAsked(true)
    if (wrong.model || wrong.zh || wrong.code || !about || !form) return
    onBegin(code, arrange({ model: about, form, only, names: { zh: zh.trim(), en: en.trim() } }))
  }
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
      <h1>{t('paper.newTitle', { name: words.label(design.appLabel) })}</h1>
      <Drafts kind="print" appCode={design.appCode} addressOf={addressOf} />
      {field('m', t('design.model'), wrong.model, (at) => (
        <Choice<string>
          id={at}
          value={model}
          options={models.map((one) => ({ value: one.code, label: words.label(one.label) || one.code }))}
          onChange={(next) => {
            setModel(next ?? null)
            setSheet(null)
          }}
        />
      ))}
      {field('f', t('paper.form'), undefined, (at) => (
        <Choice<string>
          id={at}
          value={form?.sheetCode ?? null}
          options={about?.forms?.map((one) => ({
            value: one.sheetCode,
            label: words.label(one.label) || one.sheetCode,
          }))}
          onChange={(next) => setSheet(next ?? null)}
        />
      ))}
      <Checkbox checked={only} onChange={(event) => setOnly(event.target.checked)}>
        {t('paper.onlyThisForm')}
      </Checkbox>
      {field('z', t('design.nameZh'), wrong.zh, (at) => (
        <Input id={at} value={zh} onChange={(event) => setTyped([event.target.value, en, code])} />
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
      <p>{t('paper.arranged')}</p>
      <div>
        <Button type="primary" htmlType="submit">
          {t('design.begin')}
        </Button>
      </div>
    </form>
  )
}
