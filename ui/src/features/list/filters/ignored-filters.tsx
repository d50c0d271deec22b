import { Alert, Button } from 'antd'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { inSentence } from '@/lib/noun'
import { useText } from '@/sdk/use-text'
import type { ListController } from '../use-list-controller'
import styles from './ignored-filters.module.css'

/** Its number on the wire. */
const NUMBER = 2

/** What a number may have at most, on the server too. */
const tooLong = (value: string) => value.split(';').some((end) => /\d{17}|\.\d{9}/.test(end))

/** Filters whose values are wrong or whose properties are gone: the list is there without them, and says so. */
export function IgnoredFilters({ controller }: { controller: ListController }) {
  const t = useText()
  const locale = useLocale()
  const { ignored, lost, bare } = controller
  const named = (code: string) => {
    const condition = controller.config.queryConditions.find((one) => one.visible && one.propertyCode === code)
    return condition ? inSentence(localName(condition, locale)) : code
  }
  const joined = (names: string[]) => names.join(locale === 'zh' ? '、' : ', ')
  const figures = ignored.some(
    ({ propertyCode, propertyType }) =>
      propertyType === NUMBER && tooLong(controller.view.filters[propertyCode]?.value ?? ''),
  )
  const drop = (run: () => void) => (
    <Button size="small" onClick={run}>
      {t('filter.dropIgnored')}
    </Button>
  )
  return (
    <>
      {controller.figure && controller.config.narrowed && (
        <Alert className={styles.notice ?? ''} type="info" role="status" title={t('filter.narrowed')} />
      )}
      {ignored.length > 0 && (
        <Alert
          className={styles.notice ?? ''}
          type="warning"
          role="alert"
          title={
            <>
              {t('filter.ignored', {
                names: joined(ignored.map((condition) => inSentence(localName(condition, locale)))),
              })}{' '}
              {figures && t('filter.figures')}
            </>
          }
          action={drop(() =>
            controller.setFilters(Object.fromEntries(ignored.map((condition) => [condition.propertyCode, null]))),
          )}
        />
      )}
      {bare.length > 0 && (
        <Alert
          className={styles.notice ?? ''}
          type="warning"
          role="alert"
          title={t('filter.bare', { names: joined(bare.map(named)) })}
          action={drop(controller.dropBare)}
        />
      )}
      {lost.length > 0 && (
        <Alert
          className={styles.notice ?? ''}
          type="warning"
          role="alert"
          title={t('filter.lost', { names: joined(lost) })}
          action={drop(() => controller.dropFilters(lost))}
        />
      )}
    </>
  )
}
