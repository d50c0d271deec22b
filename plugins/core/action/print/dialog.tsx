import {
  type ActionContext,
  type ActionDialogProps,
  ApiError,
  handToProgram,
  Icon,
  isEmptyTemplate,
  isExternal,
  localName,
  MOST_PRINTED,
  type PrintTemplates,
  printTemplates,
  useOpenPrint,
} from '@sluice/sdk'
import { Modal } from 'antd'
import { useEffect, useRef, useState } from 'react'
import styles from './dialog.module.css'

/** No template of the model; errors.json PrintNoTemplate. */
const NO_TEMPLATE = 306001
/** How long it is said that there is none, in seconds. */
const NONE = 4

/** Asks for a template where there are several, and opens the preview, or hands the records to another program. */
function usePrint({ schemaCode, queryCode, sheetCode, ids, t, say }: ActionContext, onClose: () => void) {
  const open = useOpenPrint()
  const [templates, setTemplates] = useState<PrintTemplates['templates']>([])
  const [busy, setBusy] = useState(false)
  const refused = (error: unknown) => {
    if (error instanceof ApiError && error.code === NO_TEMPLATE) say.warning(error.message, NONE)
    else say.error(error)
  }
  const begin = async (template: PrintTemplates) => {
    const address = { schemaCode, queryCode, sheetCode, ids, code: template.id }
    if (isExternal(template)) {
      await handToProgram(template, address)
      say.success(t('bulk.printHanded', { count: ids.length }))
    } else if (isEmptyTemplate(template)) say.warning(t('bulk.printEmpty'))
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
      if (ids.length > MOST_PRINTED) {
        say.warning(t('bulk.printTooMany', { most: MOST_PRINTED }))
        return onClose()
      }
      const first = await printTemplates({ schemaCode, sheetCode })
      if (first.templates.length > 1) setTemplates(first.templates)
      else await begin(first)
    })
  const choose = (code: string) => attempt(async () => begin(await printTemplates({ schemaCode, sheetCode, code })))
  return { templates, busy, ask, choose }
}

/** Draws something only where a template is to be chosen. */
export function PrintDialog({ context, onClose }: ActionDialogProps) {
  const { t, locale } = context
  const { templates, busy, ask, choose } = usePrint(context, onClose)
  const asked = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is pressed once
  useEffect(() => {
    if (!asked.current) void ask()
    asked.current = true
  }, [])
  if (templates.length === 0) return null
  return (
    <Modal open footer={null} width={420} title={t('bulk.printChoose')} onCancel={onClose}>
      <ul className={styles.templates}>
        {templates.map((template, i) => (
          <li key={template.code}>
            <button
              type="button"
              className={styles.template}
              // biome-ignore lint/a11y/noAutofocus: the dialog is there to press one of them
              autoFocus={i === 0}
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
    </Modal>
  )
}
