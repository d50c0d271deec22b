import { Choice, Icon, OptionDot, type PageProps, Pages, useOpenPrint, useOpenRecord } from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { type SheetBinding, sheetsBelowQuery } from './shared/api'
import look from './shared/look.module.css'
import { ProjectPage, Ready } from './shared/page-frame'
import { NodeHead, NodeReady, QbsPage } from './shared/qbs-page'
import { type ProjectPlace, useChosen } from './shared/use-place'
import { sheetState } from './shared/words'
import { texts } from './texts'

/** As many sheets as a page of the table has; less than what is printed at once. */
const SIZE = 50

/** What is filed of a part of the works: its sheets, done or missing, of one kind or of all. */
export default function ArchiveCatalogue({ title }: PageProps) {
  return (
    <ProjectPage title={title}>
      {(project, beside) => <Archive key={project.key} project={project} title={title} beside={beside} />}
    </ProjectPage>
  )
}

function Archive({ project, title, beside }: { project: ProjectPlace; title: string; beside: ReactNode }) {
  const [chosen, choose] = useChosen()
  return (
    <QbsPage project={project} title={title} beside={beside} chosen={chosen} onChoose={choose}>
      {chosen && <Files id={chosen} />}
    </QbsPage>
  )
}

function Files({ id }: { id: string }) {
  const sheets = useQuery(sheetsBelowQuery(id))
  return (
    <NodeReady id={id}>
      {(found) => (
        <>
          <NodeHead node={found} />
          <div className={look.pad}>
            <Ready query={sheets}>{(rows) => <FileRows key={id} rows={rows} />}</Ready>
          </div>
        </>
      )}
    </NodeReady>
  )
}

const isFiled = ({ status, bizObjectId }: SheetBinding) => status === 'COMPLETED' && bizObjectId !== undefined

function FileRows({ rows }: { rows: SheetBinding[] }) {
  const t = texts.useText()
  const openRecord = useOpenRecord()
  const openPrint = useOpenPrint()
  const [page, setPage] = useState(0)
  const [kind, setKind] = useChosen('schemaCode', false)
  const kinds = [...new Set(rows.map(({ schemaCode }) => schemaCode))]
  const listed = rows.filter(({ schemaCode }) => !kind || schemaCode === kind)
  const shown = listed.slice(page * SIZE, (page + 1) * SIZE)
  const filed = shown.filter(isFiled)
  return (
    <>
      <div className={look.bar}>
        <Choice
          allowClear
          aria-label={t('sheetModel')}
          placeholder={t('allSheets')}
          value={kind}
          onChange={(next) => {
            setPage(0)
            setKind(next ?? null)
          }}
          style={{ minWidth: 200 }}
          options={kinds.map((code) => ({ value: code, label: t(`sheetName.${code}` as never) }))}
        />
        <span className={look.faint}>{t('filed', { done: listed.filter(isFiled).length, total: listed.length })}</span>
        <span className={look.gap} />
        {kind && filed.length > 0 && (
          <Button
            icon={<Icon name="print" />}
            onClick={() => openPrint({ schemaCode: kind, ids: filed.map(({ bizObjectId }) => bizObjectId ?? '') })}
          >
            {t('printFiled', { count: filed.length })}
          </Button>
        )}
      </div>
      {listed.length === 0 ? (
        <p className={look.note}>{t('nothingFiled')}</p>
      ) : (
        <div className={look.scroll}>
          <table className={look.wide} aria-label={t('archive')}>
            <thead>
              <tr>
                <th>{t('nodeCode')}</th>
                <th>{t('node')}</th>
                <th>{t('sheetTitle')}</th>
                <th>{t('state')}</th>
                <th aria-label={t('print')} />
              </tr>
            </thead>
            <tbody>
              {shown.map((sheet) => {
                const state = sheetState(sheet.status)
                return (
                  <tr key={sheet.id}>
                    <td className={look.code}>{sheet.qbsCode}</td>
                    <td className={look.name}>{sheet.qbsName}</td>
                    <td>
                      {sheet.bizObjectId ? (
                        <Button
                          type="link"
                          size="small"
                          style={{ paddingInline: 0 }}
                          onClick={() => openRecord({ schemaCode: sheet.schemaCode, id: sheet.bizObjectId ?? '' })}
                        >
                          {sheet.title}
                        </Button>
                      ) : (
                        sheet.title
                      )}
                    </td>
                    <td>
                      <OptionDot label={state.label} color={state.color} />
                    </td>
                    <td>
                      {sheet.bizObjectId && (
                        <Button
                          type="text"
                          size="small"
                          aria-label={`${t('print')} ${sheet.title}`}
                          icon={<Icon name="print" />}
                          onClick={() => openPrint({ schemaCode: sheet.schemaCode, ids: [sheet.bizObjectId ?? ''] })}
                        />
                      )}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
      {listed.length > SIZE && (
        <Pages
          style={{ marginTop: 12 }}
          current={page + 1}
          pageSize={SIZE}
          total={listed.length}
          showSizeChanger={false}
          onChange={(next) => setPage(next - 1)}
        />
      )}
    </>
  )
}
