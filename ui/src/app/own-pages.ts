import type { IconName } from '@/components/icon'
import { audits, linksForms, managesApps } from '@/sdk/me'

/** What of a person the pages depend on. */
interface Mine {
  permissions: string[]
  externalLinks?: boolean
}

export interface OwnPage {
  to: string
  icon: IconName
  title:
    | 'workflow.title'
    | 'draft.title'
    | 'task.title'
    | 'shell.applications'
    | 'shell.rights'
    | 'shell.audit'
    | 'shell.operation'
    | 'shell.externalLinks'
  /** Where other pages lie that belong to it; without it below itself. */
  below?: string
  /** It is several pages with a menu of their own: each of them leads home. */
  several?: true
  may?: (me: Mine | undefined) => boolean
}

/** The pages outside of applications that the menu of a person, the page about them and the palette lead to. */
export const OWN_PAGES: OwnPage[] = [
  { to: '/workflow-center', icon: 'inbox', title: 'workflow.title', several: true },
  { to: '/my-draft', icon: 'file', title: 'draft.title' },
  { to: '/tasks', icon: 'clock', title: 'task.title' },
  { to: '/admin/applications', icon: 'grid', title: 'shell.applications', may: managesApps },
  { to: '/external-links', icon: 'external', title: 'shell.externalLinks', may: linksForms },
  { to: '/rights', icon: 'sliders', title: 'shell.rights', may: audits },
  { to: '/audit', icon: 'eye', title: 'shell.audit', may: audits },
  { to: '/system/operation', icon: 'chart', title: 'shell.operation', below: '/system', may: audits },
]

/** Those of them that somebody may open. */
export const ownPages = (me: Mine | undefined) => OWN_PAGES.filter(({ may }) => !may || may(me))
