import { lazy, Suspense } from 'react'
import { useNavigate, useParams } from 'react-router'
import { TaskPage } from '@/features/task/task-page'
import { loadLaterTexts } from '@/i18n/i18n'

const JobsImport = lazy(() =>
  Promise.all([import('@/features/list/import/jobs-import'), loadLaterTexts()]).then(([module]) => ({
    default: module.JobsImport,
  })),
)

/** An import over the reader's tasks: where the end of its job and the task lead. */
export function ImportPage() {
  const navigate = useNavigate()
  const { jobId = '' } = useParams()
  return (
    <>
      <TaskPage />
      <Suspense fallback={null}>
        <JobsImport key={jobId} jobId={jobId} onClose={() => void navigate('/tasks', { replace: true })} />
      </Suspense>
    </>
  )
}
