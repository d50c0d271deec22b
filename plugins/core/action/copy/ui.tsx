import { defineAction } from '@sluice/sdk'

/** Begins a new record as a copy of this one. */
export const action = defineAction({
  name: 'copy',
  label: (t) => t('bulk.copy'),
  icon: 'copy',
  list: { place: 'row' },
  form: true,
  run: ({ ids, openRecord }) => ids[0] && openRecord({ copyFrom: ids[0] }),
})
