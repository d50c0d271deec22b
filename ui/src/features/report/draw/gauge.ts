import { geometry, isPercent } from '@/sdk/report/figures'
import { base } from './frame'
import { type Drawing, figureOf, measureOf, type Scene, textOf, tickText } from './scene'

/** One figure between two ends, with a mark at its target. */
export function gaugeDrawing(scene: Scene): Drawing {
  const { chart, rows, look, words } = scene
  const measure = measureOf(scene, chart.measure)
  const value = figureOf(scene, rows, chart.measure)
  const target = chart.target ? figureOf(scene, rows, chart.target) : null
  const min = Number(chart.min ?? 0)
  const max = Number(chart.max ?? (isPercent(measure) ? 1 : 100))
  const name = measure.name_i18n?.[words.locale] || measure.name
  const text = textOf(scene, value, chart.measure)
  const goal = target === null ? '' : textOf(scene, target, chart.target)
  const tick = tickText(measure, words)
  const lines = [{ name, text }, ...(target === null ? [] : [{ name: words.target, text: goal }])]
  const drawn = geometry(value) ?? min
  const at = target === null ? null : Math.min(Math.max(((geometry(target) ?? min) - min) / (max - min), 0), 1)
  const shared = {
    type: 'gauge' as const,
    min,
    max,
    radius: '100%',
    center: ['50%', '60%'],
    startAngle: 205,
    endAngle: -25,
  }
  const none = { show: false }
  return {
    option: {
      ...base(scene, []),
      series: [
        {
          ...shared,
          data: [{ value: drawn, name: target === null ? '' : `${words.target} ${goal}` }],
          progress: { show: true, width: 10, itemStyle: { color: look.accent } },
          axisLine: { lineStyle: { width: 10, color: [[1, look.line]] } },
          pointer: none,
          axisTick: none,
          splitLine: none,
          splitNumber: 2,
          axisLabel: { color: look.secondary, fontSize: 12, distance: -18, formatter: tick },
          detail: { formatter: () => text, color: look.text, fontSize: 18, fontWeight: 500, offsetCenter: [0, '-6%'] },
          title: { color: look.secondary, fontSize: 12, offsetCenter: [0, '22%'] },
        },
        ...(at === null
          ? []
          : [
              {
                ...shared,
                silent: true,
                data: [],
                // A thin mark over the arc.
                axisLine: {
                  lineStyle: {
                    width: 10,
                    color: [
                      [Math.max(at - 0.006, 0), 'transparent'],
                      [Math.min(at + 0.006, 1), look.text],
                      [1, 'transparent'],
                    ] as [number, string][],
                  },
                },
                axisTick: none,
                splitLine: none,
                axisLabel: none,
              },
            ]),
      ],
    },
    points: [[value === null ? null : { heading: name, lines, at: new Map(), measure: chart.measure }]],
  }
}
