// A phone draws no grid, a desk no cards: neither reads the other's code.
export const loadCards = () => import('./components/card-list')
export const loadTable = () => import('./components/list-table')

/** Reads the code of what a list is drawn with, before it is needed. */
export const loadView = (phone: boolean): Promise<unknown> => (phone ? loadCards() : loadTable())
