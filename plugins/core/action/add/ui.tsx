import { type ActionContext, ApiError, defineAction, isFramed, post, recordPath } from '@sluice/sdk'

/** No right to add; adding is no longer offered. */
const REFUSED = [700020, 401033]

/** A window that is opened with the click, for the browser allows none after an answer; null where it allows none at all. */
function emptyTab(): Window | null {
  const tab = window.open('', '_blank')
  if (tab) tab.opener = null
  return tab
}

async function add({ button, schemaCode, queryCode, sheetCode, openRecord, say }: ActionContext) {
  const tab = button.attributes?.target === 'tab' && !isFramed() ? emptyTab() : null
  try {
    await post('/api/runtime/query/add_check', { schemaCode, ...(queryCode ? { queryCode } : {}) })
    const path = recordPath({ schemaCode, queryCode, sheetCode })
    if (tab) tab.location.replace(new URL(path, window.location.origin))
    else openRecord({})
  } catch (error) {
    tab?.close()
    if (error instanceof ApiError && REFUSED.includes(error.code)) say.warning(error.message, 4)
    else say.error(error)
  }
}

export const action = defineAction({
  name: 'add',
  label: (t) => t('common.add'),
  icon: 'plus',
  list: { place: 'page', primary: true },
  run: add,
})
