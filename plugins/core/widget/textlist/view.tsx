import { optionText, useLocale, useText, WidgetCard, type WidgetProps, workPath } from '@sluice/sdk'
import { Source, type SourceOptions } from '../shared/source'

interface Options extends SourceOptions {
  icon?: string
  iconSrc?: string | null
  moreTo?: string | null
}

/** Records of a model, or work of the reader, as texts. */
export function TextList({ widget, page }: WidgetProps<Options>) {
  const t = useText()
  const locale = useLocale()
  const { options } = widget
  const { dataSource, icon, iconSrc, moreTo } = options
  return (
    <WidgetCard
      title={optionText(options, 'title', locale) || t('portal.textList')}
      icon={icon}
      iconSrc={iconSrc}
      more={dataSource === 'bizModel' ? moreTo : workPath(dataSource)}
    >
      <Source options={options} widget={widget} page={page} />
    </WidgetCard>
  )
}
