import type { Locale as AntdLocale } from 'antd/es/locale'
import dayjs from 'dayjs'
import { create } from 'zustand'
import { beforeLocale } from '@/i18n/i18n'
import type { Locale } from '@/lib/local-name'

const loaders: Record<Locale, () => Promise<unknown>> = {
  zh: () => Promise.all([import('antd/es/locale/zh_CN'), import('dayjs/locale/zh-cn')]).then(([antd]) => antd.default),
  en: () => import('antd/es/locale/en_US').then((antd) => antd.default),
}

// Weeks begin on Monday in both languages, as the server counts them.
if (dayjs.Ls.en) dayjs.Ls.en.weekStart = 1

/** antd's own texts in the current language. */
export const useAntdLocale = create<{ texts: AntdLocale | undefined }>(() => ({ texts: undefined }))

beforeLocale(async (locale) => {
  const texts = (await loaders[locale]()) as AntdLocale
  dayjs.locale(locale === 'zh' ? 'zh-cn' : 'en')
  useAntdLocale.setState({ texts })
})
