import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
// What drops from a box or a button belongs to it, wherever it is drawn; only rules for what is on the page by itself want landmarks.
const REGION = 'dialog, [role=dialog], [role=alertdialog], svg, .ant-select-dropdown, [role=menu]'
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * What axe finds on the page: every rule of WCAG 2.2 A and AA and of good practice, and names that do not hold the words that
 * are seen (2.5.3), which axe counts among its experiments. `within` names the parts of the page to look at; all of it when missing.
 */
export async function axeFaults(page, within = null) {
  // Put in by the debugger, which the page's own rules about scripts (CSP) do not concern.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const violations = await page.evaluate(
    async ([tags, regionMatcher, within]) => {
      window.axe.configure({ checks: [{ id: 'region', options: { regionMatcher } }] })
      const { violations } = await window.axe.run(within ? { include: within } : document, {
        resultTypes: ['violations'],
        preload: false, // of style sheets and media, which none of these rules needs here
        runOnly: { type: 'tag', values: tags },
        rules: { 'label-content-name-mismatch': { enabled: true } },
      })
      return violations.map(({ id, impact, nodes }) => ({
        id,
        impact,
        nodes: nodes.map(({ target, html }) => `${target.join(' ')} ${html.slice(0, 160)}`),
      }))
    },
    [TAGS, REGION, within],
  )
  return violations.flatMap(({ id, impact, nodes }) => nodes.slice(0, 5).map((node) => `${impact} ${id}: ${node}`))
}

/** What a screen reader would have no name for, words that are cut and nowhere whole, and what is wider than the screen. */
export const faultsOf = (page) =>
  page.evaluate(() => {
    const seen = (e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility !== 'hidden'
    const named = (e) =>
      e.getAttribute('aria-label') ||
      e.getAttribute('title') ||
      e.textContent?.trim() ||
      e.getAttribute('placeholder') ||
      e.labels?.[0]?.textContent ||
      e.querySelector('[aria-label]')?.getAttribute('aria-label') ||
      (e.getAttribute('aria-labelledby') && document.getElementById(e.getAttribute('aria-labelledby'))?.textContent)
    const nameless = [
      ...document.querySelectorAll(
        'button, a[href], input:not([type=hidden]), textarea, [role=button], [role=combobox]',
      ),
    ]
      .filter((e) => seen(e) && !e.closest('[aria-hidden="true"]') && !named(e))
      .map((e) => `no name: ${e.outerHTML.slice(0, 160)} in ${e.parentElement?.className}`)
    /** Whether it is for readers of the screen alone, like the heading of a table whose rows are blocks on a phone. */
    const unseen = (e) => Boolean(e) && (getComputedStyle(e).clipPath === 'inset(50%)' || unseen(e.parentElement))
    const cutOff = (e) => e.scrollWidth > e.clientWidth + 1 && /hidden|clip/.test(getComputedStyle(e).overflowX)
    const cut = [...document.querySelectorAll('body *')]
      .filter(
        (e) =>
          [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) &&
          seen(e) &&
          e.clientWidth > 2 && // less is not meant for the eye
          !e.closest('.ag-root-wrapper, .visually-hidden, [aria-hidden="true"], textarea, [title]:not([title=""])') &&
          [e, e.parentElement, e.parentElement?.parentElement].some((one) => one && cutOff(one)) &&
          !unseen(e),
      )
      .map((e) => `cut: ${e.textContent.trim().slice(0, 60)} in ${e.className}`)
    const wide = document.documentElement.scrollWidth
    return [...nameless, ...cut, ...(wide > window.innerWidth ? [`${wide} px wide`] : [])]
  })
