import { Button, ConfigProvider, Drawer } from 'antd'
import { useState } from 'react'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useReturnFocus } from '@/lib/return-focus'
import { useHeldNarrow } from '@/lib/use-held'
import { useIsPhone } from '@/lib/use-media'
import { FilterField } from '@/registry/filter-field'
import { useFilterText } from '@/registry/filter-text'
import { propertyUI } from '@/registry/properties'
import { useText } from '@/sdk/use-text'
import styles from './report.module.css'
import type { ReportController } from './use-report'

interface Props {
  controller: ReportController
}

const shownOf = ({ conditions }: ReportController) =>
  conditions.filter(({ propertyType }) => propertyUI(propertyType).Filter)

/** The filters that all charts of the page share. They act when they change. */
export function FilterPanel({ controller }: Props) {
  const t = useText()
  const narrow = useHeldNarrow()
  const [resets, setResets] = useState(0)
  if (shownOf(controller).length === 0) return null
  if (narrow) return <FilterButton controller={controller} />
  return (
    <search className={styles.filters} aria-label={t('report.filters')}>
      <Fields key={resets} controller={controller} />
      <Button
        type="text"
        onClick={() => {
          controller.resetFilters()
          setResets(resets + 1)
        }}
      >
        {t('list.reset')}
      </Button>
    </search>
  )
}

function Fields({ controller }: Props) {
  return (
    <div className={styles.fields}>
      {shownOf(controller).map((condition) => (
        <FilterField
          key={condition.propertyCode}
          condition={condition}
          schemaCode={condition.schemaCode ?? ''}
          propertyCode={condition.sourceProperty}
          value={controller.filters[condition.propertyCode] ?? null}
          onChange={(value) => controller.setFilter(condition.propertyCode, value)}
          onSubmit={() => void controller.data.refetch()}
        />
      ))}
    </div>
  )
}

/** Without room for a panel: a button that opens it, and what is set. */
function FilterButton({ controller }: Props) {
  const t = useText()
  const locale = useLocale()
  const say = useFilterText()
  const [open, setOpen] = useState(false)
  const set = shownOf(controller).filter(({ propertyCode }) => controller.filters[propertyCode])
  return (
    <div className={styles.chips}>
      <Button icon={<Icon name="filter" />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {set.length > 0 ? t('report.filterCount', { count: set.length }) : t('report.filters')}
      </Button>
      {set.map((condition) => {
        const filter = controller.filters[condition.propertyCode]
        if (!filter) return null
        return (
          <span key={condition.propertyCode} className={styles.chip}>
            <span>{say(condition, filter)}</span>
            <button
              type="button"
              aria-label={t('list.clearFilter', { name: localName(condition, locale) })}
              onClick={() => controller.setFilter(condition.propertyCode, null)}
            >
              <Icon name="close" size={12} />
            </button>
          </span>
        )
      })}
      {open && <FilterDrawer controller={controller} onClose={() => setOpen(false)} />}
    </div>
  )
}

function FilterDrawer({ controller, onClose }: Props & { onClose: () => void }) {
  useReturnFocus()
  const t = useText()
  const phone = useIsPhone()
  const [resets, setResets] = useState(0)
  return (
    <Drawer
      open
      placement={phone ? 'bottom' : 'right'}
      size={phone ? 'min(86dvh, 720px)' : 'min(400px, 92vw)'}
      onClose={onClose}
      title={t('report.filters')}
      footer={
        <div className={styles.buttons}>
          <Button
            size="large"
            onClick={() => {
              controller.resetFilters()
              setResets(resets + 1)
            }}
          >
            {t('list.reset')}
          </Button>
          <Button size="large" type="primary" onClick={onClose}>
            {t('list.done')}
          </Button>
        </div>
      }
    >
      <ConfigProvider componentSize={phone ? 'large' : 'middle'}>
        <Fields key={resets} controller={controller} />
      </ConfigProvider>
    </Drawer>
  )
}
