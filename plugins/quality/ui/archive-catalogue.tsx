import { Choice, Icon, OptionDot, type PageProps, Pages, useOpenPrint, useOpenRecord } from '@sluice/sdk'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { nodesOfType, processesQuery, type QbsNode, type SheetBinding, sheetsQuery } from './shared/api'
import look from './shared/look.module.css'
import { ProjectPage, Ready } from './shared/page-frame'
import { NodeHead, NodeReady, QbsPage } from './shared/qbs-page'
import { type ProjectPlace, useChosen } from './shared/use-place'
import { sheetState } from './shared/words'
import { texts } from './texts'

const SIZE = 20

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
      {chosen && <Files id={chosen} project={project} />}
    </QbsPage>
  )
}

function Files({ id, project }: { id: string; project: ProjectPlace }) {
  const lots = useQuery(nodesOfType(project.key, 'LOT', id))
  const items = useQuery(nodesOfType(project.key, 'ITEM', id))
  const below = useMemo(() => {
    const all = [...(items.data ?? []).filter(({ leaf }) => leaf), ...(lots.data ?? [])]
    return all.sort((a, b) => (a.code < b.code ? -1 : 1))
  }, [items.data, lots.data])
  return (
    <NodeReady id={id}>
      {(found) => (
        <>
          <NodeHead node={found} />
          <div className={look.pad}>
            <Ready query={lots}>{() => <FileRows nodes={found.leaf ? [found] : below} />}</Ready>
          </div>
        </>
      )}
    </NodeReady>
  )
}

function FileRows({ nodes }: { nodes: QbsNode[] }) {
  const t = texts.useText()
  const openRecord = useOpenRecord()
  const openPrint = useOpenPrint()
  const [page, setPage] = useState(0)
  const [kind, setKind] = useChosen('schemaCode')
  const shown = nodes.slice(page * SIZE, (page + 1) * SIZE)
  const processes = useQueries({ queries: shown.map(({ id }) => processesQuery(id)) })
  const own = useQueries({ queries: shown.map(({ id }) => sheetsQuery(id)) })
  const rows = shown.flatMap((node, i) => {
    const sheets: SheetBinding[] = [
      ...(processes[i]?.data ?? []).flatMap(({ biz }) => biz),
      ...(own[i]?.data ?? []).filter(({ jbsId }) => !jbsId),
    ]
    return sheets.map((sheet) => ({ node, sheet }))
  })
  const kinds = [...new Map(rows.map(({ sheet }) => [sheet.schemaCode, sheet.title])).keys()]
  const listed = rows.filter(({ sheet }) => !kind || sheet.schemaCode === kind)
  return (
    <>
      <div className={look.bar}>
        <Choice
          allowClear
          aria-label={t('sheetModel')}
          placeholder={t('allSheets')}
          value={kind}
          onChange={(next) => setKind(next ?? null)}
          style={{ minWidth: 200 }}
          options={kinds.map((code) => ({ value: code, label: t(`sheetName.${code}` as never) }))}
        />
        <span className={look.faint}>
          {t('filed', {
            done: listed.filter(({ sheet }) => sheet.status === 'COMPLETED').length,
            total: listed.length,
          })}
        </span>
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
              {listed.map(({ node, sheet }) => {
                const state = sheetState(sheet.status)
                return (
                  <tr key={sheet.id}>
                    <td>{node.code}</td>
                    <td>{node.title}</td>
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
      {nodes.length > SIZE && (
        <Pages
          style={{ marginTop: 12 }}
          current={page + 1}
          pageSize={SIZE}
          total={nodes.length}
          showSizeChanger={false}
          onChange={(next) => setPage(next - 1)}
        />
      )}
    </>
  )
}
