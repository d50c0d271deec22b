import { lazy } from 'react'

/** The dialog of a job that makes a file; see exports/file-job.tsx. It comes when it is first drawn, so a Suspense has to be above it. */
export const FileJob = lazy(() => import('./exports/file-job').then((m) => ({ default: m.FileJob })))
