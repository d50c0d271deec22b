import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { useText } from '@/sdk/use-text'
import { updateGroup } from './api'
import styles from './application.module.css'
import { Labelled } from './labels'
import type { Group } from './order'
import { Refusal } from './refusal'

/** Renames a group in all of its applications. */
export function GroupDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useText()
  const id = useId()
  const client = useQueryClient()
  const [name, setName] = useState(group.group)
  const [en, setEn] = useState(group.group_i18n.en ?? '')
  const save = useMutation({
    mutationFn: () => updateGroup({ group: group.group, name, name_i18n: { ...group.group_i18n, en } }),
    onSuccess: onClose,
    onSettled: () => Promise.all(['managed', 'apps'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  })
  const submit = () => name.trim() && save.mutate()
  return (
    <Modal
      open
      title={t('application.renameGroup')}
      okText={t('common.save')}
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
        <Labelled
          id={`${id}name`}
          label={t('application.nameZh')}
          required
          error={name.trim() ? undefined : t('application.needName')}
        >
          <Input id={`${id}name`} autoFocus maxLength={100} value={name} onChange={(e) => setName(e.target.value)} />
        </Labelled>
        <Labelled id={`${id}en`} label={t('application.nameEn')}>
          <Input id={`${id}en`} maxLength={200} value={en} onChange={(e) => setEn(e.target.value)} />
        </Labelled>
        <button type="submit" hidden />
      </form>
    </Modal>
  )
}
