import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { Choice } from '@/components/choice'
import { useText } from '@/sdk/use-text'
import type { Design } from './api'
import styles from './design.module.css'
import type { Flow } from './document'
import { emptyFlow } from './edit'
import { isCode } from './shared/begun'
import { Drafts } from './shared/drafts'
import { useDesignWords } from './words'

/** What a new workflow begins with: its model, its names, its code. */
export function NewWorkflow({
  design,
  addressOf,
  onBegin,
}: {
  design: Design
  addressOf: (code: string) => string
  onBegin: (code: string, flow: Flow) => void
}) {
  const t = useText()
  const words = useDesignWords()
  const id = useId()
  const own = design.models.filter((one) => one.own)
  const [model, setModel] = useState<string | null>(own[0]?.code ?? null)
  const [[zh, en, code], setTyped] = useState(['', '', ''] as [string, string, string])
  const [asked, setAsked] = useState(false)
  const taken = design.workflows.some((one) => one.code.toLowerCase() === code.toLowerCase())
  const wrong = {
    model: model ? '' : t('design.modelNeeded'),
    zh: zh.trim() ? '' : t('design.nameNeeded'),
    code: !isCode(code) ? t('design.codeWrong') : taken ? t('design.codeTaken') : '',
  }
  const begin = () => {
    setAsked(true)
    if (wrong.model || wrong.zh || wrong.code || !model) return
    onBegin(code, emptyFlow(model, { zh: zh.trim(), en: en.trim() }, { zh: '发起', en: 'Start' }))
  }
  const field = (key: string, label: string, problem: string | undefined, control: (id: string) => React.ReactNode) => (
    <div className={styles.field}>
      <label htmlFor={`${id}${key}`}>{label}</label>
      {control(`${id}${key}`)}
      {asked && problem && (
        <span className={styles.wrong} role="alert">
          {problem}
        </span>
      )}
    </div>
  )
  return (
    <form
      className={styles.new}
      onSubmit={(event) => {
        event.preventDefault()
        begin()
      }}
    >
      <h1>{t('design.newTitle', { name: words.label(design.appLabel) })}</h1>
      <Drafts kind="workflow" appCode={design.appCode} addressOf={addressOf} />
      {field('m', t('design.model'), wrong.model, (at) => (
        <Choice<string>
          id={at}
          value={model}
          options={(own.length ? own : design.models).map((one) => ({ value: one.code, label: words.choice(one) }))}
          onChange={(next) => setModel(next ?? null)}
        />
      ))}
      {field('z', t('design.nameZh'), wrong.zh, (at) => (
        <Input id={at} value={zh} onChange={(event) => setTyped([event.target.value, en, code])} />
      ))}
      {field('e', t('design.nameEn'), undefined, (at) => (
        <Input id={at} value={en} onChange={(event) => setTyped([zh, event.target.value, code])} />
      ))}
      {field('c', t('design.code'), wrong.code, (at) => (
        <Input
          id={at}
          className={styles.code ?? ''}
          value={code}
          maxLength={63}
          onChange={(event) => setTyped([zh, en, event.target.value.trim()])}
        />
      ))}
      <div>
        <Button type="primary" htmlType="submit">
          {t('design.begin')}
        </Button>
      </div>
    </form>
  )
}
