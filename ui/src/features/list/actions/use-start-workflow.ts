import { post } from '@/api/client'
import type { ListConfig, QueryAction, Row } from '@/api/types'
import { useOpenAnswer } from '@/sdk/buttons'
import { useFeedback } from '@/sdk/feedback'

/** Opens the form that a button of the list starts its workflow with; the server decides whether that can be done now. */
export function useStartWorkflow({ schemaCode, queryCode }: Pick<ListConfig, 'schemaCode' | 'queryCode'>) {
  const say = useFeedback()
  const open = useOpenAnswer()
  return async (button: QueryAction, rows: Row[]) => {
    const objectIds = button.row ? rows.map(({ id }) => id) : []
    const { actionCode } = button
    try {
      open(await post('/api/runtime/query/run_action', { schemaCode, queryCode, actionCode, objectIds }), button)
    } catch (error) {
      say.error(error)
    }
  }
}
