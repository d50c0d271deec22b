import { exactSum } from '@/lib/decimal'
import { geometry, shareText } from '@/sdk/report/figures'
import { base, label } from './frame'
import {
  atOf,
  colorOf,
  type Drawing,
  figureOf,
  MOST_SERIES,
  measureOf,
  type Point,
  type Scene,
  slotsOf,
  textOf,
} from './scene'

const largest = (values: (string | null)[]) =>
  values.reduce((most, one) => ((geometry(one) ?? 0) > (geometry(most) ?? 0) ? one : (most ?? one)), null)

/** Slices of a whole, and the stages of a funnel, which are compared with the largest of them. */
export function partsDrawing(scene: Scene): Drawing {
  const { chart, look, words } = scene
  const funnel = chart.chartType === 'funnel'
  const measure = measureOf(scene, chart.measure)
  // What has no value gets neither slice nor stage, not even one of size zero.
  const found = slotsOf(scene, chart.category, MOST_SERIES).map((slot) => ({
    slot,
    value: figureOf(scene, slot.rows, chart.measure),
  }))
  const known = found.flatMap(({ slot, value }) => (value === null ? [] : { slot, value }))
  const [slots, values] = [known.map(({ slot }) => slot), known.map(({ value }) => value)]
  const whole = funnel ? largest(values) : exactSum(values)
  const texts = values.map((value) => textOf(scene, value, chart.measure))
  const points = known.map(({ slot, value }, i): Point => {
    const note = shareText(value, whole)
    return {
      heading: slot.text,
      lines: [{ name: measure.name_i18n?.[words.locale] || measure.name, text: texts[i] ?? '', note }],
      at: atOf(scene, [chart.category, slot]),
      measure: chart.measure,
    }
  })
  // What is below zero has no slice.
  const data = slots.map(({ text }, i) => ({
    name: text,
    value: Math.max(geometry(values[i]) ?? 0, 0),
    itemStyle: { color: colorOf(look, i), borderColor: look.surface, borderWidth: 1 },
  }))
  const caption = ({ dataIndex }: { dataIndex: number }) => {
    const [name, text, note] = [slots[dataIndex]?.text ?? '', texts[dataIndex], points[dataIndex]?.lines[0]?.note]
    // Names are in the legend, which a single one has none of.
    if (!funnel && slots.length > 1) return (chart.valueLabels ? text : note) ?? ''
    return chart.valueLabels ? `${name}\n${text}` : `${name} ${note ?? ''}`
  }
  const shared = { data, labelLayout: { hideOverlap: true } }
  return {
    option: {
      ...base(
        scene,
        slots.map(({ text }) => text),
      ),
      series: [
        funnel
          ? {
              ...shared,
              type: 'funnel' as const,
              sort: 'descending' as const,
              minSize: '12%',
              gap: 2,
              top: 8,
              bottom: slots.length > 1 ? 40 : 8,
              left: '8%',
              width: '84%',
              label: {
                position: 'inside' as const,
                color: '#ffffff',
                textBorderColor: 'rgb(0 0 0 / 45%)',
                textBorderWidth: 2,
                formatter: caption,
              },
            }
          : {
              ...shared,
              type: 'pie' as const,
              radius: chart.donut ? ['40%', '62%'] : '62%',
              center: ['50%', '46%'],
              label: { ...label(scene), bleedMargin: 0, formatter: caption },
              labelLine: { lineStyle: { color: look.line } },
              // Parts that are too thin to be told apart have no words of their own.
              minShowLabelAngle: 3,
              labelLayout: { hideOverlap: true },
            },
      ],
    },
    points: [points],
  }
}
