import { type ActionContext, Choice, localName, type PrintTemplates, post, Sheet } from '@sluice/sdk'
import { Button, Radio } from 'antd'
import { useState } from 'react'
import styles from './dialog.module.css'

/** Starts the job, and tells its task. */
export type Job = () => Promise<{ id: string; jobId: string; name: string }>

interface Props {
  context: ActionContext
  templates: PrintTemplates['templates']
  onClose: () => void
  onStart: (job: Job) => void
}

/** Many records: by which template, and in one file or in one each. */
export function BatchDialog({ context, templates, onClose, onStart }: Props) {
  const { schemaCode, queryCode, ids, all, list, t, locale } = context
  const [code, setCode] = useState(templates[0]?.code ?? '')
  const [each, setEach] = useState(false)
  const start: Job = () => {
    const { filters, keyword, orderByFields, orderType } = list?.request ?? {}
    return post('/api/runtime/print/batch', {
      schemaCode,
      code,
      filePerRecord: each,
      ...(queryCode ? { queryCode } : {}),
      ...(orderByFields ? { orderByFields } : {}),
      ...(orderType === undefined ? {} : { orderType }),
      ...(all
        ? { allObjectId: true, ...(filters ? { filters } : {}), ...(keyword ? { keyword } : {}) }
        : { objectIds: ids }),
    })
  }
  return (
    <Sheet
      width={460}
      title={t('bulk.printBatch')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="primary" onClick={() => onStart(start)}>
            {t('bulk.printStart')}
          </Button>
        </>
      }
    >
      <div className={styles.batch}>
        <p>{all ? t('bulk.printBatchAll') : t('bulk.printBatchSome', { count: ids.length })}</p>
        {templates.length > 1 && (
          <div className={styles.field}>
            <span>{t('bulk.printTemplate')}</span>
            <Choice
              aria-label={t('bulk.printTemplate')}
              value={code}
              onChange={(next) => next && setCode(next)}
              options={templates.map((one) => ({ value: one.code, label: localName(one, locale) }))}
            />
          </div>
        )}
        <fieldset className={styles.field} data-first>
          <legend>{t('bulk.printFile')}</legend>
          <Radio.Group
            value={each}
            onChange={(event) => setEach(event.target.value)}
            options={[
              { value: false, label: t('bulk.printOne') },
              { value: true, label: t('bulk.printEach') },
            ]}
          />
        </fieldset>
      </div>
    </Sheet>
  )
}
