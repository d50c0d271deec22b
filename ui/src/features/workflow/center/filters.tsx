import { useQuery } from '@tanstack/react-query'
import { Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { get } from '@/api/client'
import { Choice } from '@/components/choice'
import { Icon } from '@/components/icon'
import { DEBOUNCE } from '@/sdk/field-options'
import { type KnownList, knownQuery } from '../api'
import { useFlowWords } from '../task/words'
import styles from '../workflow.module.css'
import type { ListSearch } from './use-search'

/** A box that asks after a pause, and at once by Enter. */
export function SearchBox({
  value,
  label,
  onChange,
}: {
  value: string
  label: string
  onChange: (word: string) => void
}) {
  const [text, setText] = useState(value)
  const said = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const composing = useRef(false)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (value === said.current) return
    said.current = value // the way back, or cleared
    setText(value)
  }, [value])
  const say = (next: string) => {
    clearTimeout(timer.current)
    const word = next.trim()
    if (word === said.current) return
    said.current = word
    onChange(word)
  }
  const type = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    if (!composing.current) timer.current = setTimeout(() => say(next), next ? DEBOUNCE : 0)
  }
  return (
    <Input
      className={styles.search ?? ''}
      allowClear
      maxLength={100}
      type="search"
      enterKeyHint="search"
      prefix={<Icon name="search" size={14} />}
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => type(event.target.value)}
      onPressEnter={() => say(text)}
      onCompositionStart={() => {
        composing.current = true
      }}
      onCompositionEnd={(event) => {
        composing.current = false
        type(event.currentTarget.value)
      }}
    />
  )
}

const appsQuery = {
  queryKey: ['workflow', 'apps'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/app/apppackage/list', undefined, { signal }),
  staleTime: 300_000,
  retry: false,
}

/** The applications of the reader. */
export function AppChoice({ search }: { search: ListSearch }) {
  const words = useFlowWords()
  const { data: apps } = useQuery(appsQuery)
  const chosen = search.text('appCode')
  return (
    <Choice
      className={styles.filter ?? ''}
      aria-label={words.t('opinion.app')}
      placeholder={words.t('opinion.anyApp')}
      allowClear
      value={chosen ?? null}
      options={apps?.map((app) => ({ value: app.code, label: words.name(app) }))}
      onChange={(value) => search.set({ appCode: (value as string | null) ?? undefined })}
    />
  )
}

/** The workflows of a list of the reader's, whatever page of it is shown. */
export function WorkflowChoice({ search, list }: { search: ListSearch; list: KnownList }) {
  const words = useFlowWords()
  const { data, isPending } = useQuery(knownQuery(list))
  const chosen = search.text('workflowCode')
  const names = new Map<string, string>()
  if (chosen) names.set(chosen, chosen)
  for (const one of data ?? []) names.set(one.workflowCode, words.name(one))
  return (
    <Choice
      className={styles.filter ?? ''}
      aria-label={words.t('flow.workflow')}
      placeholder={words.t('flow.anyWorkflow')}
      allowClear
      value={chosen ?? null}
      options={isPending && !chosen ? undefined : [...names].map(([value, label]) => ({ value, label }))}
      onChange={(value) => search.set({ workflowCode: (value as string | null) ?? undefined })}
    />
  )
}
