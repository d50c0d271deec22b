import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { Choice } from '@/components/choice'
import { useLocale } from '@/i18n/locale'
import { useText } from '@/sdk/use-text'
import { addEntry, type Entry, type Managed, type ManagedMenu, updateEntry } from './api'
import styles from './application.module.css'
import { Labelled } from './labels'
import { IconChoice } from './looks'
import { codeOf, isCode, type Line } from './order'
import { Refusal } from './refusal'

/** What is added: a model with its item, or an item of a type. */
export type Kind = 'model' | 'Folder' | 'BizModel' | 'Page' | 'HomePage'

const TITLES = {
  model: 'application.addModel',
  Folder: 'application.addFolder',
  BizModel: 'application.addList',
  Page: 'application.addPage',
  HomePage: 'application.addHome',
} as const

interface Props {
  menu: ManagedMenu
  lines: Line[]
  /** The item that is edited; none is added. */
  entry?: Entry
  kind: Kind
  /** A model that is to be opened. */
  model?: string
  onClose: () => void
  onDone: (answer: Managed, name: string) => void
}

/** Adds a menu item, or changes what one is called and opens. */
export function EntryDialog({ menu, lines, entry, kind, model, onClose, onDone }: Props) {
  const t = useText()
  const locale = useLocale()
  const id = useId()
  const client = useQueryClient()
  const [name, setName] = useState(entry?.name ?? '')
  const [en, setEn] = useState(entry?.name_i18n.en ?? '')
  const [ownCode, setCode] = useState<string | null>(null)
  const [folder, setFolder] = useState('')
  const [icon, setIcon] = useState(entry?.icon ?? '')
  const [schemaCode, setSchema] = useState(entry?.schemaCode ?? model ?? '')
  const [queryCode, setQuery] = useState(entry?.queryCode ?? '')
  const [pcUrl, setUrl] = useState(entry?.pcUrl ?? '')
  const [openMode, setMode] = useState(entry?.openMode || 'VUE_MODE')
  const [tried, setTried] = useState(false)
  const taken = (code: string) => lines.some((line) => line.entry.code.toLowerCase() === code.toLowerCase())
  const suggested =
    codeOf(en) || (kind === 'BizModel' ? (taken(schemaCode) ? '' : schemaCode) : kind === 'HomePage' ? 'home' : '')
  const code = entry?.code ?? ownCode ?? suggested
  const named = kind === 'model' || kind === 'Folder' || kind === 'Page'
  const link = kind === 'Page' && !entry?.page
  const faults = {
    name: named && name.trim() === '' ? t('application.needName') : undefined,
    code: code === '' ? t('application.needCode') : isCode(code) ? undefined : t('application.badCode'),
    model: kind === 'BizModel' && !schemaCode ? t('application.needModel') : undefined,
    url: link && pcUrl.trim() === '' ? t('application.needAddress') : undefined,
  }
  const save = useMutation({
    mutationFn: () => {
      const at = { appCode: menu.app.code, seen: menu.app.seen, code, icon }
      const names = { name, name_i18n: { ...entry?.name_i18n, en } }
      const opens = {
        ...(kind === 'BizModel' && { schemaCode, queryCode }),
        ...(link && { pcUrl: pcUrl.trim(), openMode }),
      }
      if (entry) return updateEntry({ ...at, ...names, ...opens })
      return addEntry({ ...at, ...names, ...opens, folder, ...(kind === 'model' ? { model: true } : { type: kind }) })
    },
    onSuccess: (answer) => onDone(answer, name || code),
    onSettled: () => Promise.all(['managed', 'menu'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  })
  const submit = () => {
    setTried(true)
    if (!Object.values(faults).some(Boolean)) save.mutate()
  }
  const word = (label: { zh: string; i18n?: Record<string, string> }) => label.i18n?.[locale] || label.zh
  const lists = menu.models.find((one) => one.code === schemaCode)?.lists ?? []
  const show = (fault: string | undefined) => (tried ? fault : undefined)
  return (
    <Modal
      open
      title={entry ? t('application.edit') : t(TITLES[kind])}
      okText={entry ? t('common.save') : t('application.addButton')}
      confirmLoading={save.isPending}
      onOk={submit}
      onCancel={onClose}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Refusal error={save.error} />
        {kind === 'BizModel' && (
          <>
            <Labelled id={`${id}model`} label={t('application.model')} required error={show(faults.model)}>
              <Choice
                id={`${id}model`}
                value={schemaCode || null}
                options={menu.models.map((one) => ({ value: one.code, label: `${word(one.label)} (${one.code})` }))}
                onChange={(value) => {
                  setSchema(value ?? '')
                  setQuery('')
                }}
              />
            </Labelled>
            <Labelled id={`${id}list`} label={t('application.list')}>
              <Choice
                id={`${id}list`}
                value={queryCode}
                options={[
                  { value: '', label: t('application.firstList') },
                  ...lists.map((one) => ({ value: one.code, label: `${word(one.label)} (${one.code})` })),
                ]}
                onChange={(value) => setQuery(value ?? '')}
              />
            </Labelled>
          </>
        )}
        <Labelled
          id={`${id}name`}
          label={t('application.nameZh')}
          required={named}
          error={show(faults.name)}
          hint={named ? undefined : t('application.nameOptional')}
        >
          <Input
            id={`${id}name`}
            autoFocus={kind !== 'BizModel'}
            maxLength={200}
            value={name}
            onChange={(e) => setName(e.target.value)}
          />
        </Labelled>
        <Labelled id={`${id}en`} label={t('application.nameEn')}>
          <Input id={`${id}en`} maxLength={200} value={en} onChange={(e) => setEn(e.target.value)} />
        </Labelled>
        {link && (
          <>
            <Labelled
              id={`${id}url`}
              label={t('application.address')}
              required
              error={show(faults.url)}
              hint={t('application.addressHint')}
            >
              <Input id={`${id}url`} maxLength={2000} value={pcUrl} onChange={(e) => setUrl(e.target.value)} />
            </Labelled>
            <Labelled id={`${id}mode`} label={t('application.openMode')}>
              <Choice
                id={`${id}mode`}
                value={openMode}
                options={(['VUE_MODE', 'NEW_PAGE_MODE'] as const).map((value) => ({
                  value: value as string,
                  label: t(`application.mode.${value}`),
                }))}
                onChange={(value) => setMode(value ?? 'VUE_MODE')}
              />
            </Labelled>
          </>
        )}
        {!entry && (
          <>
            <Labelled
              id={`${id}code`}
              label={t('application.code')}
              required
              error={show(faults.code)}
              hint={t('application.codeHint')}
            >
              <Input id={`${id}code`} maxLength={63} value={code} onChange={(e) => setCode(e.target.value)} />
            </Labelled>
            <Labelled id={`${id}folder`} label={t('application.folder')}>
              <Choice
                id={`${id}folder`}
                value={folder}
                options={[
                  { value: '', label: t('application.top') },
                  ...lines
                    .filter((line) => line.entry.type === 'Folder')
                    .map((line) => ({ value: line.entry.code, label: word(line.entry.label) })),
                ]}
                onChange={(value) => setFolder(value ?? '')}
              />
            </Labelled>
          </>
        )}
        <IconChoice value={icon} onChange={setIcon} />
        <button type="submit" hidden />
      </form>
    </Modal>
  )
}
