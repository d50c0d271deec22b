import { lazyModule } from '@/lib/part'

// A phone draws no grid, a desk no cards: neither reads the other's code.
export const cards = lazyModule(() => import('./components/card-list'))
export const table = lazyModule(() => import('./table/list-table'))

/** Reads the code of what a list is drawn with, before it is needed. */
export const loadView = (phone: boolean): Promise<unknown> => (phone ? cards.read() : table.read())
