import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { ApiError, get, post } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { newToken } from '@/lib/token'
import { useFeedback } from './feedback'
import { useText } from './use-text'

/** What the form of the start asks of its person: fields to fill, people to choose. */
const ASKED: readonly number[] = [ERROR.RecordInvalid, ERROR.ChoiceNeeded]

/** `asked`: the form of the start is open, which asks for what is missing. */
export type Started = 'started' | 'asked' | 'refused'

/** Starts a workflow with a record as it is saved, and says what came of it. */
export function useStart(schemaCode: string, startWorkflowCode: string | undefined) {
  const t = useText()
  const say = useFeedback()
  const client = useQueryClient()
  const navigate = useNavigate()
  const key = useRef('')
  return async (objectId: string, added: boolean): Promise<Started> => {
    if (!startWorkflowCode) return 'refused'
    key.current ||= newToken()
    try {
      const request = { workflowCode: startWorkflowCode, objectId, data: {} }
      await post('/api/runtime/form/submit', request, { headers: { 'Idempotency-Key': key.current } })
    } catch (error) {
      say.error(error)
      if (!(error instanceof ApiError) || !ASKED.includes(error.code)) return 'refused'
      const search = new URLSearchParams({ startWorkflowCode, key: objectId })
      void navigate(`/form/detail?${search}`, { replace: added })
      return 'asked'
    }
    key.current = ''
    say.success(t('form.submitted'))
    for (const of of [['workflow'], ['list', schemaCode], ['record', schemaCode]])
      void client.invalidateQueries({ queryKey: of })
    return 'started'
  }
}

/** Tells of a workflow whether the person who is signed in can start it. */
export function useMayStart() {
  const { data } = useQuery({
    queryKey: ['workflow', 'start-list'],
    queryFn: ({ signal }) => get('/api/runtime/workflow/start_list', undefined, { signal }),
    staleTime: 60_000,
  })
  return (workflowCode: string | undefined) =>
    Boolean(workflowCode) &&
    (data?.groups ?? []).some(({ workflows }) => workflows.some((one) => one.workflowCode === workflowCode))
}
