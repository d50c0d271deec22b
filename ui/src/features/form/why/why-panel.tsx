import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useId } from 'react'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useText } from '@/sdk/use-text'
import type { AskWhy, Explanation } from './context'
import styles from './why.module.css'

/** A computed value with its formula and what the formula reads. */
export function WhyPanel({ code, ask }: { code: string; ask: AskWhy }) {
  const t = useText()
  const locale = useLocale()
  const opened = useId() // asked again each time it opens: the form goes on changing
  const why = useQuery({
    queryKey: ['why', code, opened],
    queryFn: ({ signal }) => ask(code, signal),
    gcTime: 0,
    retry: false,
  })
  if (why.isPending) {
    return (
      <div className={styles.panel}>
        <Skeleton active title={false} paragraph={{ rows: 4 }} />
      </div>
    )
  }
  if (why.isError) return <div className={styles.panel}>{why.error.message || t('common.noConnection')}</div>
  const { data } = why
  return (
    <div className={styles.panel}>
      <p className={styles.result}>
        <span>{localName(data, locale)}</span>
        <strong>{data.text ?? t('form.why.empty')}</strong>
      </p>
      {data.formula && (
        <>
          <h3 className={styles.heading}>{t('form.why.formula')}</h3>
          <code className={styles.formula}>{data.formula}</code>
        </>
      )}
      {data.operands.length > 0 && (
        <>
          <h3 className={styles.heading}>{t('form.why.operands')}</h3>
          <dl className={styles.operands}>
            {data.operands.map((operand) => (
              <Operand key={operand.expression} operand={operand} />
            ))}
          </dl>
        </>
      )}
    </div>
  )
}

function Operand({ operand }: { operand: Explanation['operands'][number] }) {
  const t = useText()
  const locale = useLocale()
  return (
    <>
      <dt>
        {operand.hidden ? t('form.why.others') : localName(operand, locale)}
        {!operand.hidden && <small>{operand.expression}</small>}
      </dt>
      <dd data-none={operand.hidden || operand.text === null || undefined}>
        {operand.hidden ? t('form.why.hidden') : (operand.text ?? t('form.why.empty'))}
        {operand.rows !== null && <small>{t('form.why.rows', { count: operand.rows })}</small>}
      </dd>
    </>
  )
}
