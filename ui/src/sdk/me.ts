import { useQuery } from '@tanstack/react-query'
import { get } from '@/api/client'

export const meQuery = {
  queryKey: ['me'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/organization/user/info', undefined, { signal }),
  staleTime: 300_000,
  retry: false,
}

/** The person who is signed in. */
export function useMe() {
  return useQuery(meQuery).data
}

/** Whether somebody looks after the installation, which is a permission. */
export const maintains = (me: { permissions: string[] } | undefined) => Boolean(me?.permissions.includes('SYS_MNG'))

/** Whether somebody reads the audit log: those who look after the installation, and the root administrators. */
export const audits = (me: { permissions: string[] } | undefined) =>
  Boolean(me?.permissions.some((one) => one === 'SYS_MNG' || one === 'ADMIN'))

/** Whether somebody administers workflows: moves them, changes their people, voids and deletes them. */
export const administersWorkflows = (me: { permissions: string[] } | undefined) =>
  Boolean(me?.permissions.some((one) => one === 'ADMIN' || one === 'WORKFLOW_ADMIN'))

/** Whether somebody looks at the workflows and tasks of everybody. */
export const overseesWorkflows = (me: { permissions: string[] } | undefined) => administersWorkflows(me) || audits(me)

/** Whether somebody has tasks to delegate: the root administrators take part in no workflow. */
export const delegates = (me: { permissions: string[] } | undefined) => Boolean(me && !me.permissions.includes('ADMIN'))

/** Whether somebody administers applications: some, or all. */
export const managesApps = (me: { permissions: string[] } | undefined) =>
  audits(me) || Boolean(me?.permissions.includes('APP_MNG'))

/** Whether somebody makes and withdraws external links to a form. */
export const linksForms = (me: { externalLinks?: boolean } | undefined) => me?.externalLinks ?? false

/** Whether somebody can change their password here: there is one, and it is not that of the account admin. */
export const changesPassword = (me: { mayChangePassword?: boolean } | undefined) => me?.mayChangePassword ?? false

/** Whether somebody sets theme, name and logo of the installation. */
export const brands = audits
