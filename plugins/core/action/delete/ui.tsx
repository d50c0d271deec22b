import { defineAction } from '@sluice/sdk'

/** Asks and deletes: the ticked records, everything that matches, or the record of the form. */
export const action = defineAction({
  name: 'delete',
  label: (t) => t('common.delete'),
  icon: 'trash',
  danger: true,
  list: { place: 'selection', all: true, shortcut: 'Delete' },
  form: true,
  run: ({ remove }) => remove(),
})
