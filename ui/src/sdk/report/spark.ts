/** The room of a small line. */
export const SPARK = { width: 200, height: 40 }

/** More points than this a small line cannot show. */
const MOST_POINTS = 400

/** The points of a small line, as SVG has them; two are needed for one. */
export function sparkOf(all: (number | null)[]): string {
  const every = Math.ceil(all.length / MOST_POINTS)
  const values = all.filter((_, i) => i % every === 0 || i === all.length - 1)
  const known = values.filter((value) => value !== null)
  const [least, most] = [Math.min(...known), Math.max(...known)]
  if (known.length < 2) return ''
  const step = SPARK.width / (values.length - 1)
  const y = (value: number) => SPARK.height - 2 - ((value - least) / (most - least || 1)) * (SPARK.height - 4)
  return values
    .flatMap((value, i) => (value === null ? [] : `${+(i * step).toFixed(1)},${+y(value).toFixed(1)}`))
    .join(' ')
}
