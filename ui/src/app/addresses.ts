import type { IconName } from '@/components/icon'

/** Pages that only say something, by their addresses. */
export const STATUS_PATHS = {
  '/error': { text: 'error', icon: 'alert' },
  '/permission': { text: 'permission', icon: 'key' },
  '/form-unpublished': { text: 'unpublished', icon: 'file' },
  '/shared/success': { text: 'success', icon: 'check' },
  '/shared/empty': { text: 'empty', icon: 'inbox' },
} as const satisfies Record<string, { text: string; icon: IconName }>

/** Where a portal page is, by the addresses that have its code in their query, if anywhere. */
export const PORTALS = {
  '/portal': '/portal-page',
  '/portal-page': '/portal-page',
  '/application-portal': '/portal-page',
  '/portal-design': '/portal-design',
  '/portal-design-preview': '/portal-design-preview',
} as const

/** The lists of tasks by the addresses that a single application gives them. */
export const TASK_LISTS = {
  '/app-todo': 'unfinished',
  '/app-toread': 'unread',
  '/app-done': 'finished',
  '/app-readed': 'read',
} as const

/**
 * Addresses that the platform knows and this installation may not have: the systems of projects. A pack
 * brings one by a page of the name that is on the right.
 */
export const LATER: Record<string, string> = {
  '/workbench': 'workbench',
  '/workbench-center/*': 'workbench',
  '/workflow-design/*': 'workflow-design',
  '/measureDetailed': 'measureDetailed',
  '/summaryEditV4': 'summaryEditV4',
  '/PaymentEditV4': 'PaymentEditV4',
  '/BIMPlatform/*': 'BIMPlatform',
  '/BIMView/*': 'BIMView',
  '/GroupPage/*': 'GroupPage',
  '/DataHome/*': 'DataHome',
}

/** Where those lead that the start page serves as well. */
export const INSTEAD: Record<string, string> = { workbench: '/' }

/** The same below /application/:appCode. */
export const LATER_IN_APPLICATION: Record<string, string> = {
  'application-custom/*': 'application-custom',
  panoramicView: 'panoramicView',
  BIMView: 'BIMView',
}
