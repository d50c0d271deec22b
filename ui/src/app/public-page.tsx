import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Modal, Skeleton } from 'antd'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { get, post } from '@/api/client'
import { isPicture } from '@/api/files'
import type { StoredFile } from '@/api/types'
import { Notice } from '@/components/notice'
import { ProductMark } from '@/components/product-mark'
import { PortalView } from '@/features/portal/view'
import { setLocale } from '@/i18n/i18n'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { usePageTitle } from '@/lib/page-title'
import { useSearch, withParams } from '@/lib/use-search'
import { useErrorText } from '@/sdk/error-text'
import { MESSAGES } from '@/sdk/feedback'
import type { PortalPage, PortalRowsQuery, PortalRowsRequest } from '@/sdk/portal'
import { useText } from '@/sdk/use-text'
import { portalParts as parts } from './portal-parts'
import styles from './public-page.module.css'

/** /NewPortal: the page of this installation that is read without an account. */
export function PublicPage() {
  const [query, setQuery] = useSearch()
  const t = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const code = query.get('code') ?? undefined
  const web = useQuery({
    queryKey: ['open', code ?? ''],
    queryFn: ({ signal }) => get('/open/getPortalWeb', code ? { portalCode: code } : {}, { signal }),
    retry: false,
  })
  const page = useMemo<PortalPage | null>(
    () =>
      web.data
        ? ({
            portalCode: web.data.portalCode,
            name: web.data.title,
            name_i18n: web.data.title_i18n,
            published: 1,
            fallback: false,
            appCode: null,
            mayEdit: false,
            mayArrange: false,
            arranged: false,
            script: null,
            page: web.data.page as PortalPage['page'],
            widgets: web.data.blocks,
          } satisfies PortalPage)
        : null,
    [web.data],
  )
  const name = page ? localName(page, locale) : ''
  usePageTitle(name)
  const open = query.get('doc')
  const close = () => setQuery((now) => withParams(now, { doc: null }))
  return (
    <App message={MESSAGES} component={false}>
      <div className={styles.page}>
        <header className={styles.head}>
          {web.data?.logo ? <img src={web.data.logo} alt="" height={28} /> : <ProductMark />}
          <h1>{name}</h1>
          <Button type="text" onClick={() => void setLocale(locale === 'zh' ? 'en' : 'zh')}>
            {t('session.otherLanguage')}
          </Button>
          <Link to="/login">{t('portal.public.signIn')}</Link>
        </header>
        <main>
          {web.error ? (
            <Notice
              page
              icon="panel"
              title={t('portal.gone')}
              text={errorText(web.error)}
              actions={code && <Link to="/NewPortal">{t('portal.public.first')}</Link>}
            />
          ) : page ? (
            <PortalView page={page} mode="runtime" parts={parts} rows={publicRows(page.portalCode, code)} />
          ) : (
            <Skeleton active style={{ padding: 24 }} />
          )}
        </main>
        {page && open && <Document portalCode={page.portalCode} id={open} onClose={close} />}
      </div>
    </App>
  )
}

/** Records of a widget as visitors get them; each leads to its document. */
const publicRows =
  (portalCode: string, code: string | undefined) =>
  (widget: string, request: PortalRowsRequest, several: boolean): PortalRowsQuery => ({
    queryKey: ['open', portalCode, 'rows', widget, request],
    queryFn: async ({ signal }) => {
      const { tab = 0, page = 0, size = 10 } = request
      const body = { portalCode, tabCode: several ? `${widget}/${tab}` : widget, page, size }
      const { columns, content, more } = await post('/open/listTabDatas', body, { signal })
      const rows = content.map((row) => {
        const to = new URLSearchParams({ ...(code ? { code } : {}), doc: row.id })
        return { ...row, schemaCode: '', to: `/NewPortal?${to}` }
      })
      return { columns, rows, more }
    },
  })

interface DocumentProps {
  portalCode: string
  id: string
  onClose: () => void
}

/** A record of a list, to read. Its HTML is made by the server out of plain texts, which it escapes; it is taken apart into texts here. */
function Document({ portalCode, id, onClose }: DocumentProps) {
  const t = useText()
  const errorText = useErrorText()
  const { data, error } = useQuery({
    queryKey: ['open', portalCode, 'document', id],
    queryFn: ({ signal }) => post('/open/getTabDataDoc', { portalCode, id }, { signal }),
    retry: false,
  })
  const paragraphs = useMemo(() => textsOf(data?.html ?? ''), [data?.html])
  const address = (file: StoredFile, as: Record<string, string> = {}) =>
    `/open/file?${new URLSearchParams({ portalCode, id, refId: file.refId, ...as })}`
  const files = data?.files ?? []
  return (
    <Modal open title={data?.title ?? ' '} footer={null} onCancel={onClose} width={760}>
      {error ? <Alert type="error" message={errorText(error)} /> : !data && <Skeleton active />}
      {paragraphs.map((text, i) => (
        <p key={i} className={styles.text}>
          {text}
        </p>
      ))}
      {files.length > 0 && (
        <ul className={styles.files} aria-label={t('portal.public.files')}>
          {files.map((file) => (
            <li key={file.refId} data-picture={isPicture(file) || undefined}>
              {isPicture(file) ? (
                <a href={address(file, { inline: '1' })} target="_blank" rel="noopener" title={file.name}>
                  <img src={address(file, { thumb: '1' })} alt={file.name} loading="lazy" />
                </a>
              ) : (
                <a href={address(file)} download={file.name}>
                  {file.name}
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
    </Modal>
  )
}

/** The texts of the paragraphs of a document. */
function textsOf(html: string): string[] {
  const document = new DOMParser().parseFromString(html.replaceAll('<br>', '\n'), 'text/html')
  return [...document.querySelectorAll('p')].map((p) => p.textContent ?? '')
}
