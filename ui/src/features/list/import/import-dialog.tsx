import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocale } from '@/i18n/locale'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import { begin, fieldsQuery, type ImportContext, type ImportRequest, type ImportResult, importsQuery } from './api'
import { AssignColumns } from './assign-columns'
import { ImportStart } from './import-start'
import { correctable, type Settings, settled, statusOf } from './import-state'
import { useHead } from './use-head'
import { isLiveImport, useImport } from './use-import'
import { useUpload } from './use-upload'

const Running = lazy(() => import('./import-views').then((m) => ({ default: m.Running })))
const Ended = lazy(() => import('./import-views').then((m) => ({ default: m.Ended })))
const CheckResult = lazy(() => import('./check-result').then((m) => ({ default: m.CheckResult })))
const CorrectionDialog = lazy(() => import('./correction-dialog').then((m) => ({ default: m.CorrectionDialog })))
const MyImports = lazy(() => import('./my-imports').then((m) => ({ default: m.MyImports })))

const REOPENED = 20

export interface DialogProps {
  context: ImportContext
  onClose: () => void
  /** Opened at what was imported before. */
  mine?: boolean
  /** Opened at this import, and closed with it. */
  first?: string | null
}

/** From the file to the corrected end. Closed, it leaves what runs alone; opened again, it finds that. */
export function ImportDialog({ context, onClose, mine: atMine = false, first = null }: DialogProps) {
  const t = useText()
  const say = useFeedback()
  const locale = useLocale()
  const { schemaCode } = context
  const place = { schemaCode, queryCode: context.queryCode ?? '' }
  const upload = useUpload()
  const [settings, setSettings] = useState<Settings>({
    clearEmpty: false,
    replaceLines: false,
  })
  const [request, setRequest] = useState<ImportRequest | null>(null)
  const [id, setId] = useState<string | null>(first)
  const [starting, setStarting] = useState<'check' | 'write' | null>(null)
  const [failed, setFailed] = useState<unknown>(null)
  const [view, setView] = useState<'import' | 'assign' | 'correct' | 'mine'>(atMine ? 'mine' : 'import')
  const file = upload.state.at === 'ready' ? upload.state.file : null
  const fields = useQuery(fieldsQuery(place))
  const of = useHead(place, file?.fileName ?? null, settled(settings, fields.data).queryField)
  const { data: mine } = useQuery({ ...importsQuery(schemaCode, 0, REOPENED), staleTime: 0 })
  const onEnd = (result: ImportResult) => {
    if (result.phase === 'check') return
    void context.refresh()
    if (statusOf(result) === 'Success') say.success(t(result.phase === 'undo' ? 'import.undone' : 'import.success'))
    if (correctable(result)) setView('correct')
  }
  const { data: result, error, follow } = useImport(id, onEnd)
  const running = mine?.content.find((one) => isLiveImport(one) && one.queryCode === place.queryCode)
  useEffect(() => {
    if (running && !id && !atMine && upload.state.at === 'none') setId(running.id)
  }, [running, id, atMine, upload.state.at])

  const start = async (asked: ImportRequest, dry: boolean) => {
    setStarting(dry ? 'check' : 'write')
    setFailed(null)
    try {
      const begun = await begin(asked, dry)
      setRequest(asked)
      await follow(begun)
      setId(begun.id)
      if (!dry) upload.used()
    } catch (error) {
      setFailed(error)
    } finally {
      setStarting(null)
    }
  }
  const startNew = (dry: boolean) => {
    if (!file) return
    if (of.now && !of.now.ready) return setView('assign')
    const { fileName, originalFilename } = file
    const chosen = settled(settings, fields.data)
    void start({ ...place, ...chosen, ...of.request(), fileName, originalFilename, languageType: locale }, dry)
  }
  const back = () => {
    setId(null)
    setFailed(null)
    setView('import')
  }
  const again = () => {
    upload.remove()
    setRequest(null)
    back()
  }
  /** A check that was begun here, or that is found later while its file is there. */
  const asked = request ?? result?.request ?? null
  const body = () => {
    if (view === 'mine')
      return (
        <MyImports
          context={context}
          onClose={atMine && !id ? onClose : () => setView('import')}
          onOpen={open}
          onUndo={undoing}
        />
      )
    if (!id && view === 'assign' && file)
      return (
        <AssignColumns
          {...{ file, of, starting, failed, onClose }}
          onStart={startNew}
          onBack={() => {
            setFailed(null)
            setView('import')
          }}
        />
      )
    if (!id || (!result && !error)) {
      return (
        <ImportStart
          {...{ place, upload, settings, of, starting, failed, onClose }}
          waiting={id !== null}
          onSettings={setSettings}
          onStart={startNew}
          onAssign={() => setView('assign')}
          onMine={() => setView('mine')}
        />
      )
    }
    if (result && isLiveImport(result)) return <Running result={result} onClose={onClose} />
    if (result && view === 'correct')
      return <CorrectionDialog {...{ context, result }} onSecond={follow} onClose={() => setView('import')} />
    if (result?.phase === 'check' && statusOf(result) !== 'SystemError') {
      return (
        <CheckResult
          result={result}
          starting={starting === 'write'}
          failed={failed}
          onStart={asked && (() => void start(asked, false))}
          onBack={back}
          onClose={onClose}
        />
      )
    }
    return (
      <Ended
        result={result ?? null}
        error={error}
        onClose={onClose}
        onAgain={again}
        onCorrect={() => setView('correct')}
        onMine={() => setView('mine')}
        onUndo={undoing}
      />
    )
  }
  const undoing = async (begun: ImportResult) => {
    await follow(begun)
    open(begun.id)
  }
  const open = (other: string) => {
    setId(other)
    setRequest(null)
    setView('import')
  }
  return <Suspense fallback={null}>{body()}</Suspense>
}

/** The same, opened at what was imported before. */
export const ImportsDialog = (props: DialogProps) => <ImportDialog {...props} mine />
