import { type ComponentType, lazy } from 'react'
import { loadLaterTexts } from '@/i18n/i18n'
import { type ActionDialogProps, defineAction } from '@/sdk/action'
import { associations } from '@/sdk/buttons'
import type { ListController } from '../use-list-controller'

/** The dialog and its texts. */
const dialog = () => Promise.all([import('./import-dialog'), loadLaterTexts()]).then(([module]) => module)

/** Takes records from a spreadsheet. Buttons that start a workflow cannot. */
export const importRecords = defineAction<ListController>({
  name: 'import',
  label: (t) => t('list.import'),
  icon: 'upload',
  list: {
    place: 'page',
    more: [
      {
        name: '#imports',
        text: (t) => t('list.imports'),
        run: (context) => context.open(Imports as unknown as ComponentType<ActionDialogProps<never>>),
      },
    ],
  },
  enabled: (_, button) => button.associationType !== associations.workflow,
  Dialog: lazy(() => dialog().then((m) => ({ default: m.ImportDialog }))),
})

const Imports = lazy(() => dialog().then((m) => ({ default: m.ImportsDialog })))
