import { defineAction } from '@sluice/sdk'

export const action = defineAction({
  name: 'edit',
  label: (t) => t('common.edit'),
  icon: 'edit',
  list: { place: 'row' },
  run: ({ ids, editRecord }) => ids[0] && editRecord(ids[0]),
})
