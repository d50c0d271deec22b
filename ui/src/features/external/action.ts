import { lazy } from 'react'
import { loadLaterTexts } from '@/i18n/i18n'
import { defineAction } from '@/sdk/action'

/** Makes a link that shows the record of the form to people without an account. */
export const externalLink = defineAction({
  name: 'external_link',
  label: (t) => t('form.externalLink'),
  icon: 'external',
  form: true,
  Dialog: lazy(() =>
    Promise.all([import('./record-link-dialog'), loadLaterTexts()]).then(([m]) => ({
      default: m.RecordLinkDialog,
    })),
  ),
})
