/** What a screen reader would have no name for, and what is wider than the screen. */
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
    const wide = document.documentElement.scrollWidth
    return wide > window.innerWidth ? [...nameless, `${wide} px wide`] : nameless
  })
