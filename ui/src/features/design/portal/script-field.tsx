import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { fetchResponse } from '@/api/client'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import type { Path } from '../shared/json'
import { useDesigning } from './context'
import type { Page } from './page'
import styles from './portal.module.css'
import type { PortalProblem } from './problems'
import { ScriptDialog } from './script-dialog'
import { DEFAULT_SCRIPT } from './start'

interface Props {
  page: Page
  problems: readonly PortalProblem[]
  checking: boolean
  readOnly: boolean
  /** Where the script of the page is read; null: it has none. */
  address: string | null
  set: (path: Path, value: unknown) => void
}

/** The script of the page: written here, or a file beside it, which is taken over to be changed. */
export function ScriptField({ page, problems, checking, readOnly, address, set }: Props) {
  const t = useText()
  const { design } = useDesigning()
  const [open, setOpen] = useState(false)
  const text = typeof page.scriptText === 'string' ? page.scriptText : null
  const inFile = text === null && typeof page.script === 'string' && page.script !== ''
  const { data: file } = useQuery({
    queryKey: ['design', 'portal-script', address],
    queryFn: () => fetchResponse(address ?? '').then((response) => response.text()),
    enabled: inFile && address !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const own = problems.filter(({ path }) => path[0] === 'scriptText')
  const fixed = readOnly || !design.scripts
  const write = (next: string) => {
    const { script: _, ...rest } = page
    set([], { ...rest, scriptText: next })
    setOpen(true)
  }
  return (
    <div className={styles.script}>
      {!design.scripts && <p className={styles.note}>{t('portalDesign.scriptNotYours')}</p>}
      {text !== null && (
        <>
          <p className={styles.note} data-wrong={own.length > 0 || undefined}>
            {own.length > 0
              ? t('portalDesign.scriptFaulty', { count: own.length })
              : t('portalDesign.scriptLines', { count: text.split('\n').length })}
          </p>
          <div className={styles.scriptActs}>
            <Button size="small" disabled={false} onClick={() => setOpen(true)}>
              {t(fixed ? 'portalDesign.readScript' : 'portalDesign.editScript')}
            </Button>
            <Button size="small" danger disabled={fixed} onClick={() => set(['scriptText'], undefined)}>
              {t('portalDesign.dropScript')}
            </Button>
          </div>
        </>
      )}
      {inFile && (
        <>
          <p className={styles.note}>{t('portalDesign.scriptKept')}</p>
          {file !== undefined && (
            <textarea
              readOnly
              spellCheck={false}
              rows={Math.min(16, file.split('\n').length + 1)}
              aria-label={t('portalDesign.scriptText')}
              value={file}
            />
          )}
          <Button size="small" disabled={fixed || file === undefined} onClick={() => write(file ?? '')}>
            {t('portalDesign.takeScript')}
          </Button>
        </>
      )}
      {text === null && !inFile && (
        <Button
          size="small"
          icon={<Icon name="plus" size={14} />}
          disabled={fixed}
          onClick={() => write(DEFAULT_SCRIPT)}
        >
          {t('portalDesign.writeScript')}
        </Button>
      )}
      {open && text !== null && (
        <ScriptDialog
          text={text}
          problems={own}
          checking={checking}
          readOnly={fixed}
          onChange={(next) => set(['scriptText'], next || undefined)}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
