import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { ApiError, post } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import type { FormLoad } from '@/api/types'
import { newToken } from '@/lib/token'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'

/** What the form of the start asks of its person: fields to fill, people to choose. */
const ASKED: readonly number[] = [ERROR.RecordInvalid, ERROR.ChoiceNeeded]

/** `asked`: the form of the start is open, which asks for what is missing. */
export type Started = 'started' | 'asked' | 'refused'

/** Starts the workflow of a form with a record as it is saved, and says what came of it. */
export function useStart({ form: { schemaCode, startWorkflowCode } }: FormLoad) {
  const t = useText()
  const say = useFeedback()
  const client = useQueryClient()
  const navigate = useNavigate()
  const key = useRef('')
  return async (objectId: string, added: boolean): Promise<Started> => {
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
