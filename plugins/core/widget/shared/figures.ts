import { combine, groupText, type useReportOf, type useWords } from '@sluice/sdk'

type Report = NonNullable<ReturnType<typeof useReportOf>['report']>
type Data = NonNullable<ReturnType<typeof useReportOf>['data']>
export type Measure = Report['dataSets'][number]['measures'][number]

export interface Step {
  name: string
  value: string | null
}

export interface FigureOf {
  measure: Measure
  value: string | null
  /** The steps in time, where the data set has one: the figure is that of the last one. What has no time is in none. */
  steps: Step[]
  /** The value of another measure beside it. */
  beside: (code: string | undefined) => { measure: Measure; value: string | null } | null
}

/** The figure of a measure: of the one row, of the last step in time, or of all rows together. */
export function figureOf(
  report: Report,
  data: Data,
  dataSet: string,
  code: string,
  words: ReturnType<typeof useWords>,
): FigureOf | null {
  const set = report.dataSets.find((one) => one.code === dataSet)
  const rows = data.dataSets.find((one) => one.code === dataSet)?.rows ?? []
  const at = set?.measures.findIndex((one) => one.code === code) ?? -1
  const measure = set?.measures[at]
  if (!set || !measure) return null
  const timed = set.groups.length === 1 && set.groups[0]?.timeStep
  const dated = rows.filter(({ groups }) => groups[0]?.value !== null)
  // Without steps there is the figure of all rows, and where it does not follow from theirs there is none.
  const read = (place: number) =>
    timed && dated.length > 0 ? (dated.at(-1)?.values[place] ?? null) : (combine(rows, place, set) ?? null)
  return {
    measure,
    value: read(at),
    steps: timed
      ? dated.map(({ groups, values }) => ({
          name: groups[0] ? groupText(groups[0], words) : '',
          value: values[at] ?? null,
        }))
      : [],
    beside: (other) => {
      const place = set.measures.findIndex((one) => one.code === other)
      const found = set.measures[place]
      return found ? { measure: found, value: read(place) } : null
    },
  }
}

/** Why there is no figure of a data set, when the others have theirs. */
export const faultOf = (data: Data, dataSet: string) =>
  data.dataSets.find((one) => one.code === dataSet)?.error?.message ?? null
