import { expect } from 'vitest'

const PRESSED = ['button', 'a[href]', 'input', 'textarea', '[role="tab"]', '[role="option"]']
  .map((one) => `${one}:not(:disabled)`)
  .join()

/** What only a screen reader meets takes no room. */
const OUT_OF_FLOW = /position: absolute/

/** The position of an element among its siblings, of how many, and that of each element around it up to the root. */
function path(element: Element, root: Element): string {
  const steps: string[] = []
  for (let at: Element | null = element; at?.parentElement && at !== root; at = at.parentElement) {
    const siblings = [...at.parentElement.children].filter(
      (one) => one === at || !OUT_OF_FLOW.test(one.getAttribute('style') ?? ''),
    )
    steps.unshift(`${siblings.indexOf(at)} of ${siblings.length}`)
  }
  return steps.join(' / ')
}

/**
 * Remembers what can be pressed in a row of buttons or a dialog now. The answer asserts that each of these elements is the same one as
 * then, and that it and the elements around it have as many neighbours, because a new one in a row pushes the others aside: what came
 * in the meantime took a room that was kept. Where a browser draws them is watched by e2e/steady.test.mjs.
 */
export function placesOf(root: Element) {
  // What a control shows within its own frame, such as the sign that its choices are loading, is its own affair.
  const pressed = [...root.querySelectorAll(PRESSED)].map((one) => one.closest('.ant-select') ?? one)
  const all = pressed.map((element) => ({ element, at: path(element, root) }))
  expect(all.length).toBeGreaterThan(0)
  return () => {
    for (const { element, at } of all) {
      expect(element.isConnected, `taken away: ${element.outerHTML.slice(0, 200)}`).toBe(true)
      expect(path(element, root), `moved: ${element.outerHTML.slice(0, 200)}`).toBe(at)
    }
  }
}
