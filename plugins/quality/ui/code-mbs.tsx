import type { PageProps } from '@sluice/sdk'
import { Model } from './quality-module'
import { ProjectPage } from './shared/page-frame'

/** The codes of the components: what there is, and the import of more. */
export default function CodeMbsManagement({ title }: PageProps) {
  return (
    <ProjectPage title={title}>
      {(project, beside) => <Model table key={project.key} project={project} title={title} beside={beside} />}
    </ProjectPage>
  )
}
