import { lazy } from 'react'
import '@/registry/plugins'
import { addPack } from '@/registry/registry'
import { defineView } from '@/sdk/pack'
import { batchUpdate } from '../batch/action'
import { exportRecords } from '../export/action'
import { importRecords } from '../import/action'
import { changeOwner } from '../owner/action'
import { formTrack } from '../track/action'
import type { ListController } from '../use-list-controller'
import { cards, table } from '../views'

// What lists bring themselves goes through the door of packs.
addPack({
  pack: 'core',
  actions: [batchUpdate, changeOwner, exportRecords, formTrack, importRecords],
  views: [
    defineView({ name: 'table', Page: table.draw((m) => m.ListTable) }),
    defineView({ name: 'tree' }),
    defineView({ name: 'cards', Page: cards.draw((m) => m.CardList) }),
    defineView<ListController>({ name: 'gantt', Rows: lazy(() => import('../gantt/gantt')), ownRows: true }),
  ],
})
