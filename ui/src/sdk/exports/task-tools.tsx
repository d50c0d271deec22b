import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { Hint } from '@/components/hint'
import { Icon } from '@/components/icon'
import { useFeedback } from '@/sdk/feedback'
import { deleteTask, download, type ExportTask, tasksKey } from './api'
import styles from './export.module.css'
import { useExportText } from './texts'

/** Saves the file of an export, or removes it. Only those that are done have one. */
export function TaskTools({ task }: { task: ExportTask }) {
  const t = useExportText()
  const say = useFeedback()
  const client = useQueryClient()
  if (task.taskStatus !== 'END') return <span />
  const remove = () =>
    say.modal.confirm({
      title: t('deleteTitle'),
      content: t('deleteText'),
      okText: t('remove_'),
      okButtonProps: { danger: true },
      onOk: async () => {
        try {
          await deleteTask(task.id)
          say.success(t('deleted'))
        } catch (error) {
          say.error(error)
        }
        await client.invalidateQueries({ queryKey: tasksKey })
      },
    })
  return (
    <span className={styles.tools}>
      <Hint title={t('download')}>
        <Button
          type="text"
          aria-label={t('downloadOf', { name: task.name })}
          icon={<Icon name="download" />}
          onClick={() => void download(task.id).catch(say.error)}
        />
      </Hint>
      <Hint title={t('remove_')}>
        <Button
          type="text"
          aria-label={t('deleteOf', { name: task.name })}
          icon={<Icon name="trash" />}
          onClick={remove}
        />
      </Hint>
    </span>
  )
}
