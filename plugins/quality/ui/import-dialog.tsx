import { Icon, packDownload, packPost, packSend, Sheet, useErrorText, useFeedback, useText } from '@sluice/sdk'
import { useMutation } from '@tanstack/react-query'
import { Button, Checkbox, Input, Upload } from 'antd'
import { useState } from 'react'
import { refusedRows } from './fill/judged'
import look from './shared/look.module.css'
import type { ProjectPlace } from './shared/use-place'
import { texts } from './texts'

export type ImportKind = 'QBS' | 'JBS' | 'MBS' | 'REL'

interface CellError {
  col: string
  kind: string
  msg: string
}
interface Row {
  row: number
  data: Record<string, string>
  errors: CellError[]
}
interface Read {
  token: string
  rows: Row[]
  ok: number
  bad: number
  /** Headings of the file that no column has. */
  ignored: string[]
  /** Of components: what the file does to those that are there. */
  compared?: { counts: Record<'added' | 'changed' | 'same' | 'removed', number> }
}

const COLUMNS: Record<ImportKind, readonly string[]> = {
  QBS: [
    'nodeType',
    'code',
    'name',
    'parentCode',
    'unit',
    'designQty',
    'station',
    'drawingNo',
    'mainFlag',
    'professional',
    'contract',
    'planStart',
    'planFinish',
  ],
  JBS: ['code', 'title', 'kind', 'parentCode', 'qbsType', 'sortKey', 'required', 'prevCodes'],
  MBS: ['code', 'guid', 'name', 'parentCode', 'type', 'tag', 'layer', 'storey', 'volume', 'area', 'length', 'bbox'],
  REL: ['qbsCode', 'mbsCode', 'guid', 'ratio'],
}

/** As many rows are corrected in the dialog; a file with more mistakes is corrected where it was made. */
const MOST = 100

interface Props {
  kind: ImportKind
  project: ProjectPlace
  parentId?: string
  onClose: () => void
}

/** A spreadsheet is read and checked, its bad rows are corrected or passed over, and what is good comes in with one transaction. */
export function ImportDialog({ kind, project, parentId, onClose }: Props) {
  const t = texts.useText()
  const product = useText()
  const say = useFeedback()
  const errorText = useErrorText()
  const [file, setFile] = useState<File | null>(null)
  const [overwrite, setOverwrite] = useState(false)
  const [fixed, setFixed] = useState<Record<number, Record<string, string>>>({})
  const reading = useMutation({
    mutationFn: ({ from, over }: { from: File; over: boolean }) =>
      packSend<Read>('/api/quality/v2/excel/preImport', from, {
        kind,
        projectKey: project.key,
        overwrite: String(over),
        ...(parentId ? { parentId } : {}),
      }),
    onSuccess: () => setFixed({}),
  })
  const read = (from: File, over: boolean) => {
    setFile(from)
    setOverwrite(over)
    reading.mutate({ from, over })
  }
  const found = reading.data
  const corrections = Object.entries(fixed).map(([row, data]) => ({ row: Number(row), data }))
  const importing = useMutation({
    mutationFn: (mode: 'skipBad' | 'allOrNothing') =>
      packPost<{ inserted: number; updated: number; skipped: number }>('/api/quality/v2/excel/import', {
        token: found?.token,
        mode,
        overwrite,
        ...(corrections.length > 0 ? { corrections } : {}),
      }),
    onSuccess: (done) => {
      say.success(t('imported', { ...done }))
      onClose()
    },
  })
  const bad = found?.rows.filter(({ errors }) => errors.length > 0) ?? []
  const busy = reading.isPending || importing.isPending
  const error = importing.error ?? reading.error
  return (
    <Sheet
      title={t(`importKind.${kind}`)}
      width={960}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{product('common.cancel')}</Button>
          {bad.length > 0 && (
            <Button loading={importing.isPending} disabled={busy} onClick={() => importing.mutate('skipBad')}>
              {t('importGood')}
            </Button>
          )}
          <Button
            type="primary"
            loading={importing.isPending}
            disabled={!found || busy || (bad.length > 0 && corrections.length === 0)}
            onClick={() => importing.mutate('allOrNothing')}
          >
            {bad.length > 0 ? t('importCorrected') : t('importAll')}
          </Button>
        </>
      }
    >
      <div className={look.form}>
        <div className={look.bar}>
          <Button
            icon={<Icon name="download" />}
            onClick={() => void packDownload('/api/quality/v2/excel/template', { kind }).catch(say.error)}
          >
            {t('importTemplate')}
          </Button>
          <Checkbox
            checked={overwrite}
            disabled={busy}
            onChange={(event) => (file ? read(file, event.target.checked) : setOverwrite(event.target.checked))}
          >
            {t('importOverwrite')}
          </Checkbox>
        </div>
        <Upload.Dragger
          accept=".xlsx,.xls,.csv"
          maxCount={1}
          showUploadList={false}
          disabled={busy}
          beforeUpload={(from) => {
            read(from, overwrite)
            return false
          }}
        >
          <p>{file ? file.name : t('importChoose')}</p>
        </Upload.Dragger>
        {error && (
          <p role="alert" className={look.bad}>
            {errorText(error)}
            {refusedRows(error).map(({ row, col, errmsg }) => (
              <span key={`${row} ${col} ${errmsg}`} style={{ display: 'block' }}>
                {t('nameAndWhy', { name: t('importCell', { row, col: columnName(kind, col) }), values: errmsg })}
              </span>
            ))}
          </p>
        )}
        {reading.isPending && <p className={look.note}>{product('common.loading')}</p>}
        {found && !importing.error && (
          <p role="status">
            {t('importRead', { ok: found.ok, bad: found.bad })}
            {bad.length > MOST && ` ${t('importMost', { count: MOST })}`}
            {found.compared && ` ${t('importCompared', found.compared.counts)}`}
            {found.ignored.length > 0 && (
              <span className={look.bad}> {t('ignoredColumns', { names: found.ignored.join('、') })}</span>
            )}
          </p>
        )}
        {bad.length > 0 && (
          <BadRows
            kind={kind}
            rows={bad.slice(0, MOST)}
            fixed={fixed}
            onFix={(row, col, value) => {
              importing.reset() // what was refused is not what stands there now
              setFixed((now) => ({ ...now, [row]: { ...now[row], [col]: value } }))
            }}
          />
        )}
      </div>
    </Sheet>
  )
}

/** The heading of a property's column; its code where it has none. */
const columnName = (kind: ImportKind, code: string) =>
  COLUMNS[kind].includes(code) ? texts.text(`importCol.${code}` as never) : code

interface BadProps {
  kind: ImportKind
  rows: Row[]
  fixed: Record<number, Record<string, string>>
  onFix: (row: number, col: string, value: string) => void
}

function BadRows({ kind, rows, fixed, onFix }: BadProps) {
  const t = texts.useText()
  const used = COLUMNS[kind].filter((col) =>
    rows.some(({ data, errors }) => data[col] || errors.some((e) => e.col === col)),
  )
  return (
    <div className={look.scroll} style={{ maxHeight: '46vh' }}>
      <table className={look.wide}>
        <thead>
          <tr>
            <th className={look.num}>{t('importRow')}</th>
            {used.map((col) => (
              <th key={col}>{t(`importCol.${col}` as never)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, data, errors }) => (
            <tr key={row}>
              <td className={look.num}>{row}</td>
              {used.map((col) => {
                const wrong = errors.find((one) => one.col === col)
                const value = fixed[row]?.[col] ?? data[col] ?? ''
                const changed = fixed[row]?.[col] !== undefined
                return (
                  <td key={col}>
                    {wrong ? (
                      <>
                        <Input
                          size="small"
                          style={{ minWidth: 110 }}
                          aria-label={t('importCell', { row, col: t(`importCol.${col}` as never) })}
                          {...(changed ? {} : { status: 'error' as const })}
                          value={value}
                          onChange={(event) => onFix(row, col, event.target.value)}
                        />
                        {!changed && <span className={look.bad}>{wrong.msg}</span>}
                      </>
                    ) : (
                      value
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
