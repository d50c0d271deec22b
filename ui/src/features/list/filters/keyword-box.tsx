import { Input, type InputRef } from 'antd'
import { type Ref, useEffect, useRef, useState } from 'react'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { inSentence, noun } from '@/lib/noun'
import { DEBOUNCE } from '@/sdk/field-options'
import { useText } from '@/sdk/use-text'
import { MAX_KEYWORD } from '../data/url-state'
import type { ListController } from '../use-list-controller'
import styles from './keyword-box.module.css'

interface Props {
  controller: ListController
  ref?: Ref<InputRef>
}

/** One box over everything that a keyword is looked for in. It asks after a pause and at once by Enter; Esc empties it. */
export function KeywordBox({ controller, ref }: Props) {
  const t = useText()
  const locale = useLocale()
  const { config, setKeyword } = controller
  const keyword = controller.view.keyword ?? ''
  const [text, setText] = useState(keyword)
  const said = useRef(keyword)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const composing = useRef(false)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (keyword === said.current) return
    said.current = keyword // somebody else changed it: the way back, Reset, a saved filter
    setText(keyword)
  }, [keyword])
  const say = (next: string) => {
    clearTimeout(timer.current)
    const word = next.trim()
    if (word === said.current) return
    said.current = word
    setKeyword(word)
  }
  const type = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    if (!composing.current) timer.current = setTimeout(() => say(next), next ? DEBOUNCE : 0)
  }
  if (!config.searchable) return null
  const fields = [...new Set(config.searched.map((field) => inSentence(localName(field, locale))))].join(
    locale === 'zh' ? '、' : ', ',
  )
  return (
    <Input
      ref={ref ?? null}
      className={styles.box ?? ''}
      allowClear
      maxLength={MAX_KEYWORD}
      type="search"
      enterKeyHint="search"
      prefix={<Icon name="search" size={14} />}
      suffix={text ? null : <kbd className={styles.key}>/</kbd>}
      aria-label={t('list.keyword', { name: noun(config, 0, locale) })}
      aria-keyshortcuts="/"
      placeholder={t('filter.keywordIn', { fields })}
      title={t('filter.keywordIn', { fields })}
      value={text}
      onChange={(event) => type(event.target.value)}
      onCompositionStart={() => {
        composing.current = true
      }}
      onCompositionEnd={(event) => {
        composing.current = false
        type(event.currentTarget.value)
      }}
      onPressEnter={() => !composing.current && say(text)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || composing.current) return
        event.preventDefault()
        if (!text) return event.currentTarget.blur()
        event.stopPropagation()
        setText('')
        say('')
      }}
    />
  )
}
