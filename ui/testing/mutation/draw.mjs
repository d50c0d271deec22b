// Which breaks are tried.

/** Numbers from 0 to 1 that come again for a seed (mulberry32). */
function random(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

export function shuffled(list, seed) {
  const out = [...list]
  const next = random(seed)
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1))
    ;[out[i], out[j]] = [out[j], out[i]]
  }
  return out
}

/**
 * Draws of each pool as many breaks as it wants, in its order, and passes over those that do not compile, which is asked
 * of many at once.
 */
export function draw(pools, compile) {
  const left = pools.map(({ breaks, want }) => ({ breaks: [...breaks], want, drawn: [] }))
  for (;;) {
    const missing = ({ want, drawn }) => want - drawn.length
    const asked = left.map((pool) => pool.breaks.splice(0, Math.ceil(missing(pool) * 1.5)))
    if (asked.every((own) => own.length === 0)) return left.flatMap(({ drawn }) => drawn)
    const answers = compile(asked.flat())
    let at = 0
    for (const [i, pool] of left.entries()) {
      const valid = asked[i].filter(() => answers[at++])
      pool.drawn.push(...valid.slice(0, missing(pool)))
    }
  }
}

/**
 * The pools of changed files: count breaks of each; when that is more than most, files give one after the other, and all
 * of them at least one.
 */
export function poolsOfChange(files, breaksOf, count, most, seed) {
  const pools = files.map(({ file, touched }) => {
    const breaks = shuffled(breaksOf(file), seed).map((one) => ({ ...one, touched: touched(one.line) }))
    return { file, breaks: [...breaks.filter((one) => one.touched), ...breaks.filter((one) => !one.touched)], want: 0 }
  })
  let left = Math.max(most, pools.filter((pool) => pool.breaks.length > 0).length)
  for (let round = 0; round < count; round++) {
    for (const pool of pools) {
      if (left === 0 || pool.want === pool.breaks.length) continue
      pool.want++
      left--
    }
  }
  return pools
}
