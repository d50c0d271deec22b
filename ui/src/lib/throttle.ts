/** How often a handler of scrolling works, in milliseconds. */
export const SCROLLING = 150

/** Works at once, then at most once in a while, and once more at its end when it was called meanwhile. */
export function throttle(work: () => void, wait: number = SCROLLING) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  const call = () => {
    if (timer !== undefined) {
      again = true
      return
    }
    timer = setTimeout(() => {
      timer = undefined
      if (!again) return
      again = false
      call()
    }, wait)
    work()
  }
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
    again = false
  }
  return Object.assign(call, { stop })
}
