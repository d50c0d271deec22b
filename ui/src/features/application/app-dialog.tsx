import { useMutation, useQueryClient } from '@tanstack/react-query'
import { AutoComplete, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { useLocale } from '@/i18n/locale'
import { useText } from '@/sdk/use-text'
import { addApp, type ManagedApp, updateApp } from './api'
import styles from './application.module.css'
import { Labelled } from './labels'
import { ColorChoice, IconChoice } from './looks'
import { codeOf, type Group, groupName, groupOf, isCode } from './order'
import { Refusal } from './refusal'

interface Props {
  /** The application that is edited; none is added. */
  app?: ManagedApp
  groups: Group[]
  onClose: () => void
  onDone: (code: string) => void
}

/** Adds an application, or changes what one is called and looks like. */
export function AppDialog({ app, groups, onClose, onDone }: Props) {
  const t = useText()
  const locale = useLocale()
  const id = useId()
  const client = useQueryClient()
  const [name, setName] = useState(app?.name ?? '')
  const [en, setEn] = useState(app?.name_i18n.en ?? '')
  const [ownCode, setCode] = useState<string | null>(null)
  const [group, setGroup] = useState(app ? groupName(app, locale) : '')
  const [groupEn, setGroupEn] = useState('')
  const [icon, setIcon] = useState(app?.icon ?? '')
  const [color, setColor] = useState(app?.color ?? '')
  const [tried, setTried] = useState(false)
  const code = app?.code ?? ownCode ?? codeOf(en)
  const faults = {
    name: name.trim() === '' ? t('application.needName') : undefined,
    code: code === '' ? t('application.needCode') : isCode(code) ? undefined : t('application.badCode'),
  }
  const known = groupOf(groups, group.trim(), locale, app?.group)
  const save = useMutation({
    mutationFn: () => {
      const names = { name, name_i18n: { ...app?.name_i18n, en } }
      const into = known ?? { group: group.trim(), group_i18n: { en: groupEn } }
      const look = { group: into.group, group_i18n: into.group_i18n, icon, color }
      return app ? updateApp({ code, seen: app.seen, ...names, ...look }) : addApp({ code, ...names, ...look })
    },
    onSuccess: () => onDone(code),
    onSettled: () => Promise.all(['managed', 'apps'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  })
  const submit = () => {
    setTried(true)
    if (!faults.name && !faults.code) save.mutate()
  }
  return (
    <Modal
      open
      title={app ? t('application.edit') : t('application.add')}
      okText={app ? t('common.save') : t('application.addButton')}
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
        <Labelled id={`${id}name`} label={t('application.nameZh')} required error={tried ? faults.name : undefined}>
          <Input id={`${id}name`} autoFocus maxLength={200} value={name} onChange={(e) => setName(e.target.value)} />
        </Labelled>
        <Labelled id={`${id}en`} label={t('application.nameEn')}>
          <Input id={`${id}en`} maxLength={200} value={en} onChange={(e) => setEn(e.target.value)} />
        </Labelled>
        {!app && (
          <Labelled
            id={`${id}code`}
            label={t('application.code')}
            required
            hint={t('application.codeHint')}
            error={tried ? faults.code : undefined}
          >
            <Input id={`${id}code`} maxLength={63} value={code} onChange={(e) => setCode(e.target.value)} />
          </Labelled>
        )}
        <Labelled id={`${id}group`} label={t('application.group')} hint={t('application.groupHint')}>
          <AutoComplete
            id={`${id}group`}
            allowClear
            value={group}
            options={groups.filter((one) => one.group).map((one) => ({ value: groupName(one, locale) }))}
            onChange={(value) => setGroup(value ?? '')}
          />
        </Labelled>
        {group.trim() && !known && (
          <Labelled id={`${id}groupEn`} label={t('application.groupEn')}>
            <Input id={`${id}groupEn`} maxLength={200} value={groupEn} onChange={(e) => setGroupEn(e.target.value)} />
          </Labelled>
        )}
        <IconChoice value={icon} onChange={setIcon} />
        <ColorChoice value={color} onChange={setColor} />
        <button type="submit" hidden />
      </form>
    </Modal>
  )
}
