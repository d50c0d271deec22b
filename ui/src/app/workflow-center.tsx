import { Navigate, Route, Routes } from 'react-router'
import { MenuHandle, useMenuWidth } from '@/features/menu/menu-handle'
import { useMenuStore } from '@/features/menu/menu-store'
import { VersionsPage } from '@/features/workflow/admin/versions-page'
import { CenterMenu } from '@/features/workflow/center/center-menu'
import { MinePage, QueryPage } from '@/features/workflow/center/instance-page'
import { ItemsPage } from '@/features/workflow/center/items-page'
import { TasksPage } from '@/features/workflow/center/tasks-page'
import { DelegationPage } from '@/features/workflow/settings/delegation-page'
import { StartPage } from '@/features/workflow/task/start-page'
import { useIsNarrow } from '@/lib/use-media'
import styles from './frame/frame.module.css'
import { NotFound } from './not-found'

/** The workflow center: its menu and its pages. */
export function WorkflowCenter() {
  const narrow = useIsNarrow()
  const collapsed = useMenuStore((state) => state.collapsed)
  const width = useMenuWidth('workflow')
  return (
    <div className={styles.application} data-rows={narrow || undefined}>
      <CenterMenu
        look={narrow ? 'row' : collapsed ? 'icons' : 'side'}
        width={width}
        edge={<MenuHandle mode="workflow" />}
      />
      <div className={styles.content}>
        <Routes>
          <Route index element={<Navigate to="/workflow-center/my-unfinished-workitem" replace />} />
          <Route path="my-unfinished-workitem" element={<ItemsPage kind="unfinished" />} />
          <Route path="my-finished-workitem" element={<ItemsPage kind="finished" />} />
          <Route path="my-unread-workitem" element={<ItemsPage kind="unread" />} />
          <Route path="my-read-workitem" element={<ItemsPage kind="read" />} />
          <Route path="my-workflow" element={<MinePage />} />
          <Route path="start-workflow" element={<StartPage />} />
          <Route path="delegation-workflow" element={<DelegationPage />} />
          <Route path="query-instance" element={<QueryPage />} />
          <Route path="query-participant-workItem" element={<TasksPage />} />
          <Route path="workflow-versions" element={<VersionsPage />} />
          <Route path="*" element={<NotFound />} />
        </Routes>
      </div>
    </div>
  )
}
