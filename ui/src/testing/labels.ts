/**
 * Finds the labels of a control by its id, and the label around it. jsdom asks each label of the page for its control, and each
 * looks through all that it contains: a query by role and name does that for every control.
 */
export function quickLabels() {
  for (const { prototype } of [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement, HTMLButtonElement])
    Object.defineProperty(prototype, 'labels', {
      configurable: true,
      get(this: HTMLElement) {
        const naming = this.id === '' ? [] : [...document.getElementsByTagName('label')]
        const labels = naming.filter((label) => label.htmlFor === this.id)
        const around = this.closest('label')
        return around && around.htmlFor === '' ? [around, ...labels] : labels
      },
    })
}
