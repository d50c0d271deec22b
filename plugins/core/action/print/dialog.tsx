import {
  type ActionContext,
  type ActionDialogProps,
  ApiError,
  FileJob,
  handToProgram,
  Icon,
  isEmptyTemplate,
  isExternal,
  localName,
  MOST_PRINTED,
  type PrintTemplates,
  printTemplates,
  Sheet,
  useOpenPrint,
} from '@sluice/sdk'
import { useEffect, useRef, useState } from 'react'
import { BatchDialog, type Job } from './batch-dialog'
import styles from './dialog.module.css'

/** No template of the model; errors.json PrintNoTemplate. */
const NO_TEMPLATE = 306001
/** How long it is said that there is none, in seconds. */
const NONE = 4

type Names = PrintTemplates['templates']

/** What is drawn: nothing yet, a choice of templates, a choice of files, or the progress of a job. */
type Stage = { at: 'asking' } | { at: 'template'; of: Names } | { at: 'batch'; of: Names } | { at: 'job'; job: Job }

/** Asks for a template where there are several, and opens the preview, hands the records to another program, or has a job print many. */
function usePrint({ schemaCode, queryCode, sheetCode, ids, all, t, say }: ActionContext, onClose: () => void) {
  const open = useOpenPrint()
  const [stage, setStage] = useState<Stage>({ at: 'asking' })
  const [busy, setBusy] = useState(false)
  const many = all || ids.length > MOST_PRINTED
  const refused = (error: unknown) => {
    if (error instanceof ApiError && error.code === NO_TEMPLATE) say.warning(error.message, NONE)
    else say.error(error)
  }
  const begin = async (template: PrintTemplates) => {
    const address = { schemaCode, queryCode, sheetCode, ids, code: template.id }
    if (isExternal(template)) {
      if (many) say.warning(t('bulk.printTooMany', { most: MOST_PRINTED }))
      else {
        await handToProgram(template, address)
        say.success(t('bulk.printHanded', { count: ids.length }))
      }
    } else if (isEmptyTemplate(template)) say.warning(t('bulk.printEmpty'))
    else if (many) return setStage({ at: 'batch', of: [{ ...template, code: template.id, external: false }] })
    else open(address)
    onClose()
  }
  /** What fails is said; then nothing of it stays. */
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      refused(error)
      onClose()
    } finally {
      setBusy(false)
    }
  }
  const ask = () =>
    attempt(async () => {
      const first = await printTemplates({ schemaCode, sheetCode, ...(all ? {} : { ids }) })
      const own = first.templates.filter(({ external }) => !external)
      if (many && own.length > 1) setStage({ at: 'batch', of: own })
      else if (first.templates.length > 1) setStage({ at: 'template', of: first.templates })
      else await begin(first)
    })
  const choose = (code: string) => attempt(async () => begin(await printTemplates({ schemaCode, sheetCode, code })))
  return { stage, setStage, busy, ask, choose }
}

/** Draws something only where a template or a file is to be chosen, or a job prints. */
export function PrintDialog({ context, onClose }: ActionDialogProps) {
  const { t, locale } = context
  const { stage, setStage, busy, ask, choose } = usePrint(context, onClose)
  const asked = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is pressed once
  useEffect(() => {
    if (!asked.current) void ask()
    asked.current = true
  }, [])
  if (stage.at === 'asking') return null
  if (stage.at === 'job') return <FileJob title={t('bulk.printProgress')} start={stage.job} onClose={onClose} />
  if (stage.at === 'batch')
    return (
      <BatchDialog
        context={context}
        templates={stage.of}
        onClose={onClose}
        onStart={(job) => setStage({ at: 'job', job })}
      />
    )
  return (
    <Sheet footer={null} width={420} title={t('bulk.printChoose')} onClose={onClose}>
      <ul className={styles.templates}>
        {stage.of.map((template, i) => (
          <li key={template.code}>
            <button
              type="button"
              className={styles.template}
              data-first={i === 0 || undefined}
              disabled={busy}
              onClick={() => void choose(template.code)}
            >
              <Icon name={template.external ? 'external' : 'file'} size={18} />
              <span>
                {localName(template, locale)}
                {template.external && <small>{t('bulk.printExternal')}</small>}
              </span>
              <Icon name="right" />
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
