import { Component, type ComponentType, type ReactNode, Suspense } from 'react'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { useAppearance } from '@/lib/appearance'
import { lostPack } from '@/registry/lost'
import { useRegistry, widgetUI } from '@/registry/registry'
import { linesIn, optionText, type PortalWidget, usePortal, type WidgetProps } from '@/sdk/portal'
import { WidgetCard, WidgetWaiting } from '@/sdk/portal-card'
import { useText } from '@/sdk/use-text'
import { boxLook } from './look'
import styles from './portal.module.css'

interface Props {
  widget: PortalWidget
  /** The codes of packs' bundles are on their way: nothing is unknown yet. */
  loading: boolean
}

/** A widget in its box. Whatever happens in it stays in it. */
export function WidgetBox({ widget, loading }: Props) {
  useRegistry()
  const { handle } = usePortal()
  const appearance = useAppearance((state) => state.appearance)
  const ui = widgetUI(widget.type)
  const { style } = widget
  const bare = ui?.bare && !style.backgroundColor && !style.backgroundImgSrc && style.borderStyle === 'none'
  return (
    <div
      className={styles.box}
      data-widget={widget.id}
      data-type={widget.type}
      data-bare={bare || undefined}
      style={boxLook(style, appearance)}
      inert={handle.mode === 'design'}
    >
      <Fails key={handle.mode} name={widget.type}>
        <Suspense fallback={<Waiting widget={widget} />}>
          <Content widget={widget} loading={loading} />
        </Suspense>
      </Fails>
    </div>
  )
}

function Content({ widget, loading }: Props) {
  const t = useText()
  const locale = useLocale()
  const { handle } = usePortal()
  const ui = widgetUI(widget.type)
  if (widget.problem === 'gone') return <Placeholder icon="file" text={t('portal.widgetGone')} />
  if (widget.problem === 'unfinished') {
    const name = ui?.label[locale] ?? widget.type
    return <Placeholder icon="edit" text={t('portal.widgetUnfinished', { name })} />
  }
  if (!ui && loading) return <Waiting widget={widget} />
  if (!ui) {
    const pack = lostPack('widgets', widget.type)
    const text = pack
      ? t('portal.unknownPack', { pack, name: widget.type })
      : t('portal.unknown', { name: widget.type })
    return <Placeholder icon="panel" text={text} />
  }
  const Widget = ui.Widget as unknown as ComponentType<WidgetProps>
  return <Widget widget={widget} page={handle} />
}

/** What is there before the widget's own code is. */
function Waiting({ widget }: { widget: PortalWidget }) {
  const locale = useLocale()
  const title = optionText(widget.options, 'title', locale) || optionText(widget.options, 'componentTitle', locale)
  return (
    <WidgetCard title={title}>
      <WidgetWaiting lines={Math.min(linesIn(widget.height, 36, title ? 48 : 12), 12)} />
    </WidgetCard>
  )
}

function Placeholder({
  icon,
  text,
  action,
}: {
  icon: 'file' | 'panel' | 'alert' | 'edit'
  text: string
  action?: ReactNode
}) {
  return (
    <div className={styles.placeholder} role="note">
      <Icon name={icon} size={20} />
      <p>{text}</p>
      {action}
    </div>
  )
}

/** What fails in a widget ends that widget and not the page. */
class Fails extends Component<{ name: string; children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown }
  static getDerivedStateFromError = (error: unknown) => ({ error })
  override render() {
    if (!this.state.error) return this.props.children
    return <Failed onRetry={() => this.setState({ error: null })} />
  }
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const t = useText()
  return (
    <Placeholder
      icon="alert"
      text={t('portal.widgetFailed')}
      action={
        <button type="button" className={styles.retry} onClick={onRetry}>
          {t('common.retry')}
        </button>
      }
    />
  )
}
