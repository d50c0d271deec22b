import { useMemo } from 'react'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { propertyUI } from '@/registry/properties'
import { isEmptyValue } from '@/sdk/property'
import { recordPath } from '@/sdk/record-link'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import type { ListController } from '../use-list-controller'
import type { ChartColumn, ChartTexts } from './chart-options'
import type { GanttPlan, Task } from './tasks'

const TITLE_WIDTH = 300

/** The columns of the chart's table: the title first, then what the reader has chosen to see. */
export function useColumns({ config, shownColumns }: ListController, plan: GanttPlan): ChartColumn[] {
  const locale = useLocale()
  const context = useTextContext()
  return useMemo(() => {
    const title = config.queryColumns.find((column) => column.propertyCode === plan.titlePropertyCode)
    const others = shownColumns.filter((column) => column !== title && !column.childColumns)
    const first: ChartColumn = {
      code: 'text',
      label: title ? localName(title, locale) : '',
      width: Math.max(title?.width ?? 0, TITLE_WIDTH),
      align: 'left',
      text: (task) => task.title,
    }
    return [
      first,
      ...others.map((column): ChartColumn => {
        const ui = propertyUI(column.propertyType)
        return {
          code: column.propertyCode,
          label: localName(column, locale),
          width: column.width,
          align: ui.align ?? 'left',
          text: ({ row }) => {
            const value = row.data[column.propertyCode]
            return isEmptyValue(value) ? '' : ui.text(value, column, context)
          },
        }
      }),
    ]
  }, [config, shownColumns, plan, locale, context])
}

/** The words of bars, tooltips and marks. */
export function useTexts({ config }: ListController, plan: GanttPlan): ChartTexts {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  return useMemo(() => {
    const column = (code: string | null) => config.queryColumns.find((one) => one.propertyCode === code)
    const words = (code: string | null, task: Task) => {
      const plan = column(code)
      const value = plan && task.row.data[plan.propertyCode]
      return plan && !isEmptyValue(value) ? propertyUI(plan.propertyType).text(value, plan, context) : ''
    }
    const [level, progress] = [column(plan.levelPropertyCode), column(plan.progressPropertyCode)]
    const state = (task: Task) => {
      if (progress?.options) return words(progress.propertyCode, task)
      return task.state ? t(`gantt.states.${task.state}`) : ''
    }
    const percent = (task: Task) => (task.share === null || progress?.options ? '' : `${Math.round(task.share * 100)}%`)
    const named = (code: string | null, task: Task): [string, string][] => {
      const plan = column(code)
      const text = words(code, task)
      return plan && text ? [[localName(plan, locale), text]] : []
    }
    return {
      state,
      level: (task) => {
        if (level?.options) return words(level.propertyCode, task)
        return task.level ? t(`gantt.levels.${task.level}`) : ''
      },
      barText: (task) => [task.reversed ? t('gantt.reversed') : task.title, percent(task)].filter(Boolean).join('  '),
      tooltip: (task) => [
        ['', task.title],
        ...named(plan.startTimePropertyCode, task),
        ...named(plan.endTimePropertyCode, task),
        ...(progress
          ? [[localName(progress, locale), [state(task), percent(task)].filter(Boolean).join(' ')] as [string, string]]
          : []),
      ],
      edge: (task, side) => ({
        label: words(side === 'before' ? plan.endTimePropertyCode : plan.startTimePropertyCode, task),
        title: t('gantt.reveal', { name: task.title }),
      }),
      today: t('gantt.today'),
      expand: t('list.expand'),
      collapse: t('list.collapse'),
      href: (task) =>
        recordPath({
          schemaCode: config.schemaCode,
          sheetCode: config.sheetCode ?? null,
          queryCode: config.queryCode,
          id: task.id,
        }),
    }
  }, [config, plan, context, locale, t])
}
