import LoadingOutlined from '@ant-design/icons/es/icons/LoadingOutlined'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { ConfigProvider } from 'antd'
import { type ReactNode, useEffect, useLayoutEffect, useMemo } from 'react'
import { useAppearance } from '@/lib/appearance'
import { nonce } from '@/lib/nonce'
import { applyPalette, palette } from '@/lib/palette'
import { takeTheme, useTheme } from '@/lib/theme'
import { useMedia } from '@/lib/use-media'
import { systemConfigQuery } from '@/sdk/system'
import { antdTheme } from './antd-theme'
import { useAntdLocale } from './locales'
import { queryClient } from './query-client'
import { ServerAway } from './server-away'

/** The icon comes and goes without a motion: one that is ended early would stay, unseen, in the button's name. */
const button = { autoInsertSpace: false, loadingIcon: <LoadingOutlined aria-hidden /> }

export function Providers({ children }: { children: ReactNode }) {
  const appearance = useAppearance((state) => state.appearance)
  const locale = useAntdLocale((state) => state.texts)
  const accent = useTheme(({ theme, shown }) => (shown ?? theme).color)
  const { data: system } = useQuery(systemConfigQuery, queryClient)
  const theirs = system?.theme
  useEffect(() => {
    if (theirs) takeTheme(theirs)
  }, [theirs])
  const colours = useMemo(() => palette(appearance, accent), [appearance, accent])
  const still = useMedia('(prefers-reduced-motion: reduce)')
  const theme = useMemo(() => antdTheme(colours, appearance, !still), [colours, appearance, still])
  useLayoutEffect(() => applyPalette(colours, appearance), [colours, appearance])
  return (
    <QueryClientProvider client={queryClient}>
      <ConfigProvider theme={theme} locale={locale} csp={{ nonce: nonce() }} button={button} wave={{ disabled: true }}>
        {children}
        <ServerAway />
      </ConfigProvider>
    </QueryClientProvider>
  )
}
