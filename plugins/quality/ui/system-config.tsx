import { localName, type PageProps, useLocale, useOpenRecord, useText, useTextContext, valueText } from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { codes } from './codes'
import { recordQuery } from './shared/api'
import look from './shared/look.module.css'
import { ProjectPage, Ready } from './shared/page-frame'
import type { ProjectPlace } from './shared/use-place'

/** What the project is set to: its norm, its parties, and how much of the process it uses. */
export default function SystemConfig({ title }: PageProps) {
  return (
    <ProjectPage title={title}>
      {(project, beside) => (
        <div className={look.page}>
          <header className={look.pageHead}>
            <h1>{title}</h1>
            {beside}
          </header>
          <Settings key={project.key} project={project} />
        </div>
      )}
    </ProjectPage>
  )
}

const SHOWN = [
  codes.projectKey,
  codes.projectName,
  codes.projectType,
  codes.evalRule,
  codes.ownerDept,
  codes.designDept,
  codes.supDept,
  codes.startDate,
  codes.finishDate,
  codes.bimUrl,
  codes.title,
  codes.single,
  codes.multiProjectFlag,
  codes.simpleQualityFlag,
]

function Settings({ project }: { project: ProjectPlace }) {
  const product = useText()
  const locale = useLocale()
  const context = useTextContext()
  const openRecord = useOpenRecord()
  const record = useQuery(recordQuery(codes.project, project.id))
  return (
    <div className={look.pad}>
      <Ready query={record} rows={6}>
        {({ form, data, actions }) => (
          <>
            <dl className={look.facts}>
              {SHOWN.map((code) => {
                const field = form.fields.find(({ propertyCode }) => propertyCode === code)
                if (!field) return null
                return (
                  <div key={code}>
                    <dt>{localName(field, locale)}</dt>
                    <dd>{valueText(data[code], field, context) || '–'}</dd>
                  </div>
                )
              })}
            </dl>
            {actions.includes('save') && (
              <p style={{ marginTop: 24 }}>
                <Button
                  type="primary"
                  onClick={() => openRecord({ schemaCode: codes.project, id: project.id, edit: true })}
                >
                  {product('common.edit')}
                </Button>
              </p>
            )}
          </>
        )}
      </Ready>
    </div>
  )
}
