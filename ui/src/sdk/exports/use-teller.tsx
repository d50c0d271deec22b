import { useQueryClient } from '@tanstack/react-query'
import { useFeedback } from '@/sdk/feedback'
import { lacksOf } from './lacks'
import { TaskList } from './task-list'
import { exportText } from './texts'
import type { Teller } from './watch'

const SECONDS = 5
export const RECORDS_WIDTH = 1080

/** Says on whatever page is open then what became of an export; the message leads to the list of exports. */
export function useTeller(): Teller {
  const client = useQueryClient()
  const say = useFeedback()
  const records = () =>
    say.modal.info({
      icon: null,
      title: exportText('records'),
      content: <TaskList />,
      width: `min(${RECORDS_WIDTH}px, 94vw)`,
      closable: true,
      footer: null,
    })
  return {
    client,
    done: (task) => {
      const lacks = lacksOf(task)
      const link = { label: exportText('toRecords'), run: records }
      const words = exportText('finished', { name: task.name })
      if (lacks.length === 0) say.success(words, link, SECONDS)
      else say.warning([words, ...lacks].join(exportText('pause')), SECONDS, link)
    },
    failed: (reason) => {
      const words = exportText('generationFailed')
      say.error(reason ? `${words}: ${reason}` : words)
    },
  }
}
