import { useQuery } from '@tanstack/react-query'
import { Segmented, Tooltip } from 'antd'
import { Icon } from '@/components/icon'
import { useSearch } from '@/lib/use-search'
import { useText } from '@/sdk/use-text'
import { headersQuery } from '../data/queries'
import type { ListController } from '../use-list-controller'

type Kind = 'table' | 'chart'

/** Table or chart, where the model has lists of both. What is filtered stays so; the sort is each list's own. */
export default function ViewSwitch({ controller: { config } }: { controller: ListController }) {
  const t = useText()
  const [, setSearch] = useSearch()
  const { data = [] } = useQuery(headersQuery(config.schemaCode))
  const kindOf = (type: string): Kind => (type === 'gantt' ? 'chart' : 'table')
  const current = kindOf(config.queryPresentation.presentationType)
  const other = data.find((header) => kindOf(header.presentationType) !== current)
  if (!other) return null
  const open = (kind: Kind) => {
    if (kind === current) return
    setSearch((now) => {
      const kept = [...now].filter(([key]) => /^(code|parentId|return|debugId|[flo]\..+)$/.test(key))
      return new URLSearchParams([...kept, ['queryCode', other.queryCode]])
    })
  }
  const option = (value: Kind, icon: 'table' | 'chart') => ({
    value,
    label: (
      <Tooltip title={t(`gantt.${value}`)}>
        <span>
          <Icon name={icon} />
          <span className="visually-hidden">{t(`gantt.${value}`)}</span>
        </span>
      </Tooltip>
    ),
  })
  return (
    <Segmented<Kind>
      aria-label={t('gantt.presentation')}
      value={current}
      options={[option('table', 'table'), option('chart', 'chart')]}
      onChange={open}
    />
  )
}
