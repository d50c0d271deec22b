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
 * Draws of each pool as many breaks as it wants, in its order, and passes over those that do not compile. A pool
 * that a change brought has the lines that it touched first.
 */
export function draw(pools, compiles) {
  return pools.flatMap(({ breaks, want }) => {
    const out = []
    for (const one of breaks) {
      if (out.length === want) break
      if (compiles(one)) out.push(one)
    }
    return out
  })
}

/** The pools of changed files: count breaks of each; when that is more than most, files give one after the other. */
export function poolsOfChange(files, breaksOf, count, most, seed) {
  const pools = files.map(({ file, touched }) => {
    const breaks = shuffled(breaksOf(file), seed).map((one) => ({ ...one, touched: touched(one.line) }))
    return { breaks: [...breaks.filter((one) => one.touched), ...breaks.filter((one) => !one.touched)], want: 0 }
  })
  let left = most
  for (let round = 0; round < count; round++) {
    for (const pool of pools) {
      if (left === 0 || pool.want === pool.breaks.length) continue
      pool.want++
      left--
    }
  }
  return pools
}
