import { part } from '@/lib/part'

// A phone draws no grid, a desk no cards: neither reads the other's code.
export const cards = part(() => import('./components/card-list'))
export const table = part(() => import('./table/list-table'))

/** Reads the code of what a list is drawn with, before it is needed. */
export const loadView = (phone: boolean): Promise<unknown> => (phone ? cards.read() : table.read())
