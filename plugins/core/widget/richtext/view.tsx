import { optionText, PortalLink, useLocale, useText, WidgetCard, type WidgetProps } from '@sluice/sdk'
import Markdown, { type Components } from 'react-markdown'
import gfm from 'remark-gfm'
import styles from './rich-text.module.css'

interface Options {
  icon?: string
  iconSrc?: string | null
  text: string
}

const isOwn = (url: string) => /^\/(?![/\\])/.test(url)

/** Links lead into the system, to https addresses and to mail; anything else is words. */
export const safeAddress = (url: string): string => (isOwn(url) || /^(https:\/\/|mailto:)/i.test(url) ? url : '')

const components: Components = {
  a: ({ href, children }) =>
    href?.startsWith('mailto:') ? (
      <a href={href}>{children}</a>
    ) : (
      <PortalLink to={href || null} external={!isOwn(href ?? '')} newWindow={!isOwn(href ?? '')}>
        {children}
      </PortalLink>
    ),
  // The page has its own heading, and the widget may have one.
  h1: ({ children }) => <h3 className={styles.large}>{children}</h3>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  img: ({ src, alt }) =>
    typeof src === 'string' && isOwn(src) ? <img src={src} alt={alt ?? ''} loading="lazy" /> : alt,
  // A list of tasks is read here and ticked elsewhere.
  input: ({ checked }) => <span className={styles.tick}>{checked ? '☑' : '☐'}</span>,
  table: ({ children }) => (
    <div className={styles.table}>
      <table>{children}</table>
    </div>
  ),
}

/** Markdown as elements; HTML in it stays text. */
export function RichText({ widget }: WidgetProps<Options>) {
  const t = useText()
  const locale = useLocale()
  const { options } = widget
  return (
    <WidgetCard
      title={optionText(options, 'title', locale)}
      label={t('portal.text')}
      icon={options.icon}
      iconSrc={options.iconSrc}
      read
    >
      <div className={styles.text}>
        <Markdown remarkPlugins={[gfm]} components={components} urlTransform={safeAddress}>
          {optionText(options, 'text', locale)}
        </Markdown>
      </div>
    </WidgetCard>
  )
}
