import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followEvents } from '@/api/events'
import { isRefusal } from '@/api/refusal'
import { useFeedback } from '@/sdk/feedback'
import { isLive, type JobProgress } from '@/sdk/jobs'
import { useText } from '@/sdk/use-text'
import { actOnTask, type Task, type TaskFilter, type TaskPageData, tasksQuery } from './api'
import { useTaskWords } from './task-words'

/** How often everybody's tasks are asked for while one of them runs, and while none does. */
const BUSY = 2_000
const CALM = 15_000

/** A page of tasks that keeps itself true: the reader's own by events, everybody's by asking. */
export function useTasks(all: boolean, page: number, filter: TaskFilter) {
  const client = useQueryClient()
  const query = tasksQuery(all, page, filter)
  const result = useQuery({
    ...query,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      if (isRefusal(state.error)) return false
      const live = state.data?.content.some(isLive)
      return all ? (live ? BUSY : CALM) : live ? CALM : false
    },
    refetchIntervalInBackground: false,
  })
  useEffect(() => {
    if (all) return
    const reload = () => void client.invalidateQueries({ queryKey: ['tasks'] })
    const onJob = (event: MessageEvent<string>) => {
      const { id, state, ahead, done, total } = JSON.parse(event.data) as JobProgress
      let known = false
      client.setQueriesData<TaskPageData>({ queryKey: ['tasks', false], exact: false }, (old) => {
        if (!old?.content.some((task) => task.id === id)) return old
        known = true
        return {
          ...old,
          content: old.content.map((task) => (task.id === id ? { ...task, state, ahead, done, total } : task)),
        }
      })
      if (!known || !isLive({ state })) reload() // it is new, or has a result
    }
    return followEvents({ job: onJob }, reload)
  }, [all, client])
  return result
}

/** Stops and repeats tasks; other people's after a question. */
export function useTaskActions(all: boolean) {
  const t = useText()
  const say = useFeedback()
  const words = useTaskWords()
  const client = useQueryClient()
  const act = (task: Task, what: 'cancel' | 'retry') =>
    actOnTask(all, task.id, what).then(
      () => client.invalidateQueries({ queryKey: ['tasks'] }),
      (error) => {
        say.error(error)
        return client.invalidateQueries({ queryKey: ['tasks'] })
      },
    )
  return (task: Task, what: 'cancel' | 'retry') => {
    const { owner, title } = task
    if (!owner) return void act(task, what)
    const system = owner.id === 'system'
    say.modal.confirm({
      title: t(`task.${what}Title`, { title }),
      content: system ? t(`task.${what}System`) : t(`task.${what}Text`, { name: words.owner(owner) }),
      okText: t(`task.${what}`),
      okButtonProps: { danger: what === 'cancel' },
      onOk: () => act(task, what),
    })
  }
}
